package dev.leasehold.aws;

import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.internal.http.HttpConnection.Reply;
import dev.leasehold.internal.http.HttpService;
import dev.leasehold.internal.http.HttpService.Repeat;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls to one table of DynamoDB. The items of a namespace have the same partition key, so that they can be
 * listed in order. Safe for use by many threads.
 */
public final class DynamoDbClient implements AutoCloseable {
    /** The partition key: the namespace. */
    static final String SPACE = "n";

    /** The sort key. */
    static final String KEY = "k";

    private static final String VERSION = "DynamoDB_20120810.";

    private final AwsAddress address;
    private final AwsService service;

    private DynamoDbClient(AwsAddress address, AwsService service) {
        this.address = address;
        this.service = service;
    }

    /**
     * Opens a client of a table. It reads the credentials from the environment or a profile.
     *
     * @param url as that of a store: {@code dynamodb://table/namespace?region=...}
     */
    public static DynamoDbClient connect(String url) {
        return connect(url, System.getenv());
    }

    static DynamoDbClient connect(String url, Map<String, String> environment) {
        AwsAddress address = AwsAddress.parse(AwsAddress.Service.DYNAMODB, url, environment);
        AwsCredentials credentials = AwsCredentials.find(environment, address.profile());
        HttpService http = new HttpService(
                "DynamoDB at " + address.endpoint(), address.endpoint(), address.timeout(), address.certificates());
        return new DynamoDbClient(
                address, new AwsService(http, new AwsSigner(credentials, address.region(), "dynamodb")));
    }

    String table() {
        return address.place();
    }

    String namespace() {
        return address.path().isEmpty() ? "default" : address.path();
    }

    StoreUnavailableException unavailable(String what) {
        return service.unavailable(what);
    }

    /** A value of type string, as DynamoDB writes it. */
    static Map<String, Object> string(String value) {
        return Map.of("S", value);
    }

    /** The text of a value of type string; null if there is none. */
    static @Nullable String text(Map<?, ?> item, String name) {
        return item.get(name) instanceof Map<?, ?> value && value.get("S") instanceof String text ? text : null;
    }

    Map<String, Object> key(String space, String key) {
        return Map.of(SPACE, string(space), KEY, string(key));
    }

    /** The item as it is now; empty if there is none. */
    Map<?, ?> get(String space, String key) {
        Map<String, @Nullable Object> answer =
                succeed("GetItem", Map.of("Key", key(space, key), "ConsistentRead", true), Repeat.SAFE);
        return answer.get("Item") instanceof Map<?, ?> item ? item : Map.of();
    }

    /** Makes a conditional change. False if the condition did not hold. */
    boolean change(String operation, Map<String, Object> request) {
        Answer answer = call(operation, request, Repeat.NEVER);
        if (answer.type.equals("ConditionalCheckFailedException")) {
            return false;
        }
        requireSuccess(answer, operation);
        return true;
    }

    Map<String, @Nullable Object> succeed(String operation, Map<String, Object> request, Repeat repeat) {
        Answer answer = call(operation, request, repeat);
        requireSuccess(answer, operation);
        return answer.body;
    }

    /** @param type the kind of error; empty if the call succeeded */
    private record Answer(int status, String type, Map<String, @Nullable Object> body) {}

    private Answer call(String operation, Map<String, Object> request, Repeat repeat) {
        Map<String, Object> whole = new HashMap<>(request);
        whole.put("TableName", address.place());
        byte[] body = JsonWriter.line(whole).getBytes(StandardCharsets.UTF_8);
        Map<String, String> header =
                Map.of("content-type", "application/x-amz-json-1.0", "x-amz-target", VERSION + operation);
        Reply reply = service.send(new AwsService.Call("POST", "/", "", header, body), repeat);
        try {
            Map<String, @Nullable Object> answer = JsonReader.object(new String(reply.body(), StandardCharsets.UTF_8));
            String type = reply.status() == 200 ? "" : String.valueOf(answer.get("__type"));
            return new Answer(reply.status(), type.substring(type.indexOf('#') + 1), answer);
        } catch (IllegalArgumentException e) {
            throw service.unavailable("answered with status " + reply.status()
                    + " and something that is not of DynamoDB: is the endpoint correct?"
                    + (reply.status() >= 500 ? " It is unknown whether the operation took effect" : ""));
        }
    }

    private void requireSuccess(Answer answer, String operation) {
        if (answer.status != 200) {
            throw failure(answer, operation);
        }
    }

    private StoreUnavailableException failure(Answer answer, String operation) {
        String table = "table '" + address.place() + "'";
        return switch (answer.type) {
            case "ResourceNotFoundException" ->
                new StoreMissingException("DynamoDB at " + address.endpoint() + " has no " + table + " in region "
                        + address.region()
                        + "; nothing was changed. Correct the URL, or create the table with 'leasehold store init'");
            case "UnrecognizedClientException",
                    "InvalidSignatureException",
                    "MissingAuthenticationTokenException",
                    "MissingAuthenticationToken",
                    "IncompleteSignatureException" ->
                service.unavailable("rejects the credentials (" + answer.type
                        + "); nothing was changed. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile");
            case "ExpiredTokenException" ->
                service.unavailable(
                        "says that the session of these credentials is over; nothing was changed. Sign in" + " again");
            case "AccessDeniedException" ->
                service.unavailable("does not permit these credentials " + operation + " on " + table
                        + "; nothing was changed. They need dynamodb:GetItem, PutItem, UpdateItem, DeleteItem and Query"
                        + " on the table, and CreateTable and DescribeTable for 'store init'");
            case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded" ->
                service.unavailable("asks to slow down (" + answer.type + "); nothing was changed, try again");
            case "ValidationException" ->
                service.unavailable("refuses the request: is " + table
                        + " another table? One that 'leasehold store init' creates has the keys " + SPACE + " and "
                        + KEY + ", both strings. Nothing was changed");
            default ->
                service.unavailable("answered with status " + answer.status + " (" + answer.type + ")"
                        + (answer.status >= 500 ? "; it is unknown whether the operation took effect" : ""));
        };
    }

    /** Creates the table if there is none, paid per request, and waits until it can be used. */
    void createTable() {
        Answer created = call(
                "CreateTable",
                Map.of(
                        "BillingMode",
                        "PAY_PER_REQUEST",
                        "AttributeDefinitions",
                        List.of(
                                Map.of("AttributeName", SPACE, "AttributeType", "S"),
                                Map.of("AttributeName", KEY, "AttributeType", "S")),
                        "KeySchema",
                        List.of(
                                Map.of("AttributeName", SPACE, "KeyType", "HASH"),
                                Map.of("AttributeName", KEY, "KeyType", "RANGE"))),
                Repeat.NEVER);
        if (!created.type.equals("ResourceInUseException")) {
            requireSuccess(created, "CreateTable");
        }
    }

    /** Whether the table exists and can be used. */
    boolean isActive() {
        Answer answer = call("DescribeTable", Map.of(), Repeat.SAFE);
        if (answer.type.equals("ResourceNotFoundException")) {
            return false;
        }
        requireSuccess(answer, "DescribeTable");
        return answer.body.get("Table") instanceof Map<?, ?> table && "ACTIVE".equals(table.get("TableStatus"));
    }

    /** Closes the idle connections. */
    @Override
    public void close() {
        service.close();
    }
}
