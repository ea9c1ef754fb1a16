package dev.leasehold.cli.command;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import org.jspecify.annotations.Nullable;

/**
 * The grant that a command shows to a store or a target: from the options, else from the environment that {@code run}
 * sets. Never from the store, which would hand a zombie its successor's token.
 *
 * <p>Where the environment holds the whole grant of that very name and token, it is used whole: only then can a target
 * notice a store that issued one token twice.
 */
public final class ShownGrant {
    public static final String NAME_VARIABLE = "LEASEHOLD_NAME";
    public static final String TOKEN_VARIABLE = "LEASEHOLD_TOKEN";
    public static final String GRANT_VARIABLE = "LEASEHOLD_GRANT";

    private final @Nullable LeaseName name;
    private final @Nullable FencingToken token;
    private final @Nullable Grant whole;

    private ShownGrant(@Nullable LeaseName name, @Nullable FencingToken token, @Nullable Grant whole) {
        this.name = name;
        this.token = token;
        this.whole = whole;
    }

    /** For a command whose lease name, if it is given, is a positional. */
    public static Grant ofPositional(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String text = arguments.positional(0);
        return choose(invocation, text == null ? null : Arguments.leaseName("NAME", text));
    }

    /** For a command whose lease name, if it is given, is an option. */
    public static Grant ofOptions(Invocation invocation) {
        return choose(invocation, invocation.arguments().leaseName(SharedOptions.NAME));
    }

    private static Grant choose(Invocation invocation, @Nullable LeaseName givenName) {
        FencingToken givenToken = invocation.arguments().value(SharedOptions.TOKEN, FencingToken::parse);
        ShownGrant environment = fromEnvironment(invocation);
        LeaseName name = givenName == null ? environment.name : givenName;
        if (name == null) {
            throw new UsageException("no lease name: give it, or set " + NAME_VARIABLE);
        }
        FencingToken token = givenToken == null ? environment.tokenFor(name) : givenToken;
        if (token == null) {
            throw new UsageException("no token of " + name + ": give --token, or set " + TOKEN_VARIABLE
                    + "; it is never looked up in the store");
        }
        Grant whole = environment.whole;
        return whole != null && whole.name().equals(name) && whole.token().equals(token)
                ? whole
                : Grant.bare(name, token);
    }

    /** The environment's token is of the environment's lease: for another name it means nothing. */
    private @Nullable FencingToken tokenFor(LeaseName wanted) {
        return name == null || name.equals(wanted) ? token : null;
    }

    private static ShownGrant fromEnvironment(Invocation invocation) {
        String nameText = invocation.env(NAME_VARIABLE);
        String tokenText = invocation.env(TOKEN_VARIABLE);
        String wholeText = invocation.env(GRANT_VARIABLE);
        LeaseName name = nameText == null ? null : Arguments.leaseName(NAME_VARIABLE, nameText);
        FencingToken token = tokenText == null ? null : token(tokenText);
        if (wholeText == null) {
            return new ShownGrant(name, token, null);
        }
        Grant whole = whole(wholeText);
        boolean otherName = name != null && !name.equals(whole.name());
        boolean otherToken = token != null && !token.equals(whole.token());
        if (otherName || otherToken) {
            throw new UsageException((otherName ? NAME_VARIABLE : TOKEN_VARIABLE) + " and " + GRANT_VARIABLE
                    + " in the environment speak of different leases: set them together, or none of them");
        }
        return new ShownGrant(whole.name(), whole.token(), whole);
    }

    private static FencingToken token(String text) {
        try {
            return FencingToken.parse(text);
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(TOKEN_VARIABLE, text, e);
        }
    }

    private static Grant whole(String text) {
        try {
            return Grant.decode(text);
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(GRANT_VARIABLE, text, e);
        }
    }
}
