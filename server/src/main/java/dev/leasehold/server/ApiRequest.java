package dev.leasehold.server;

import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.model.LeaseName;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** A request whose body has arrived. */
final class ApiRequest {
    /** The most that a list returns at once. */
    private static final int LONGEST_PAGE = 500;

    private final Fields parameters;
    private final byte[] body;
    private final Caller caller;
    private final Runnable stillAllowed;

    ApiRequest(Fields parameters, byte[] body) {
        this(parameters, body, Caller.ANYBODY, () -> {});
    }

    private ApiRequest(Fields parameters, byte[] body, Caller caller, Runnable stillAllowed) {
        this.parameters = parameters;
        this.body = body;
        this.caller = caller;
        this.stillAllowed = stillAllowed;
    }

    /** @param allowed throws a {@link BadRequestException} when the caller may no longer make this call */
    ApiRequest by(Caller known, Runnable allowed) {
        return new ApiRequest(parameters, body, known, allowed);
    }

    /**
     * For a call that waits: its key may be revoked meanwhile. Running it waits for the store, and throws a
     * {@link BadRequestException} if the caller may no longer make this call.
     */
    Runnable stillAllowed() {
        return stillAllowed;
    }

    Caller caller() {
        return caller;
    }

    /** @throws BadRequestException if the name is not for this caller */
    LeaseName name(String text) {
        return caller.require(LeaseName.of(text));
    }

    /** As it arrived. */
    byte[] body() {
        return body;
    }

    /** @throws BadRequestException if the body is not such a message */
    <T> T body(Class<T> type) {
        try {
            return JsonMessages.readCall(body, type);
        } catch (UnrecognizedPropertyException e) {
            throw unknown(
                    e.getPropertyName(),
                    e.getKnownPropertyIds().stream()
                            .map(String::valueOf)
                            .sorted()
                            .toList());
        } catch (InvalidNullException e) {
            throw new BadRequestException("the field '" + shown(path(e)) + "' is null: leave it out instead");
        } catch (DatabindException e) {
            // A field that is missing is often there under a mistyped name.
            JsonMessages.unknownField(body, type).ifPresent(field -> {
                throw unknown(field.name(), field.known());
            });
            throw new BadRequestException(mismatch(e));
        } catch (StreamConstraintsException e) {
            throw new BadRequestException("the body is nested too deeply, or has a value that is too long");
        } catch (InputCoercionException e) {
            throw new BadRequestException("a number in the body is out of range, at line "
                    + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr());
        } catch (StreamReadException e) {
            throw new BadRequestException("the body is not valid JSON, at line "
                    + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr() + (isRepeated(e) ? ": a field is given twice" : ""));
        } catch (JacksonException e) {
            throw new BadRequestException("the body cannot be read as JSON");
        }
    }

    private static BadRequestException unknown(String field, List<String> known) {
        return new BadRequestException(
                "unknown field '" + shown(field) + "'; this call has " + String.join(", ", known));
    }

    private static boolean isRepeated(StreamReadException e) {
        return e.getOriginalMessage().toLowerCase(Locale.ROOT).contains("duplicate");
    }

    private static String mismatch(DatabindException e) {
        String path = path(e);
        String original = e.getOriginalMessage();
        if (original.contains("Missing required creator property")) {
            return "the field '" + path + "' is missing";
        }
        return path.isEmpty()
                ? "the body is not a JSON object with the fields of this call"
                : "the field '" + shown(path) + "' has a value of the wrong type";
    }

    /** Such as {@code grants[0].name}. */
    private static String path(DatabindException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }

    /** Text of the client, short and without characters that a terminal obeys. */
    private static String shown(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length() && i < 60; i++) {
            char c = text.charAt(i);
            safe.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return safe.toString();
    }

    /** @throws BadRequestException if another parameter is given, or one twice */
    ApiRequest with(Set<String> known) {
        for (Fields.Field parameter : parameters) {
            if (!known.contains(parameter.getName())) {
                throw new BadRequestException("unknown parameter '" + shown(parameter.getName()) + "'; this call has "
                        + (known.isEmpty()
                                ? "none"
                                : String.join(", ", known.stream().sorted().toList())));
            }
            if (parameter.getValues().size() > 1) {
                throw new BadRequestException("the parameter '" + shown(parameter.getName()) + "' is given twice");
            }
        }
        return this;
    }

    String parameter(String name) {
        String value = parameters.getValue(name);
        if (value == null) {
            throw new BadRequestException("the parameter '" + name + "' is missing");
        }
        return value;
    }

    String parameter(String name, String otherwise) {
        String value = parameters.getValue(name);
        return value == null ? otherwise : value;
    }

    LeaseName name() {
        return name(parameter("name"));
    }

    /** The start of the names that a list is about; null if the caller may see none of them. */
    @Nullable
    String prefix() {
        return caller.narrowed(parameter("prefix", ""));
    }

    int limit() {
        String text = parameter("limit", "100");
        try {
            int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= LONGEST_PAGE) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new BadRequestException("limit must be a number from 1 to " + LONGEST_PAGE);
    }
}
