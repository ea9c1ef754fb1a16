package dev.leasehold.cli.command;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import org.jspecify.annotations.Nullable;

/**
 * The grant that a command shows to a store or a target: from the options, otherwise from the
 * environment that {@code run} sets. It is never read from the store, which would give a zombie the
 * token of its successor.
 *
 * <p>If the environment contains the complete grant of this name and token, the complete grant is
 * used: only with it can a target detect a store that issued one token twice.
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

    /** For a command that takes the lease name as an argument. */
    public static Grant ofPositional(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String text = arguments.positional(0);
        return choose(invocation, text == null ? null : Arguments.leaseName("NAME", text));
    }

    /** For a command that takes the lease name as an option. */
    public static Grant ofOptions(Invocation invocation) {
        return choose(invocation, invocation.arguments().leaseName(SharedOptions.NAME));
    }

    /**
     * For a command that a bare token must not use: anybody can read a token in the store, but only
     * its holder has the whole grant.
     */
    public static Grant wholeOfOptions(Invocation invocation, String otherwise) {
        String given = invocation.arguments().text(SharedOptions.GRANT);
        Grant grant = given == null ? ofOptions(invocation) : matching(invocation, whole("--grant", given));
        if (grant.attempt() == null) {
            throw new UsageException("a token alone is not enough, because everybody can read it in 'leasehold status':"
                    + " the whole grant is needed. 'leasehold run' sets it in " + GRANT_VARIABLE
                    + ", and the field 'grant' of 'leasehold acquire NAME --json' is for --grant G. " + otherwise);
        }
        return grant;
    }

    private static Grant matching(Invocation invocation, Grant grant) {
        LeaseName name = invocation.arguments().leaseName(SharedOptions.NAME);
        FencingToken token = invocation.arguments().value(SharedOptions.TOKEN, FencingToken::parse);
        if ((name != null && !name.equals(grant.name())) || (token != null && !token.equals(grant.token()))) {
            throw new UsageException("--grant is the grant of " + grant + "; --name and --token must agree with it");
        }
        return grant;
    }

    private static Grant choose(Invocation invocation, @Nullable LeaseName givenName) {
        FencingToken givenToken = invocation.arguments().value(SharedOptions.TOKEN, FencingToken::parse);
        ShownGrant environment = fromEnvironment(invocation);
        LeaseName name = givenName == null ? environment.name : givenName;
        if (name == null) {
            throw new UsageException("no lease name: give one, or set " + NAME_VARIABLE);
        }
        FencingToken token = givenToken == null ? environment.tokenFor(name) : givenToken;
        if (token == null) {
            throw new UsageException("no token for " + name + ": give --token, or set " + TOKEN_VARIABLE
                    + "; it is never looked up in the store");
        }
        Grant whole = environment.whole;
        return whole != null && whole.name().equals(name) && whole.token().equals(token)
                ? whole
                : Grant.bare(name, token);
    }

    /**
     * The token in the environment belongs to the lease in the environment, not to any other name.
     */
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
        Grant whole = whole(GRANT_VARIABLE, wholeText);
        boolean otherName = name != null && !name.equals(whole.name());
        boolean otherToken = token != null && !token.equals(whole.token());
        if (otherName || otherToken) {
            throw new UsageException((otherName ? NAME_VARIABLE : TOKEN_VARIABLE) + " and " + GRANT_VARIABLE
                    + " in the environment belong to different leases: set both or neither");
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

    private static Grant whole(String where, String text) {
        try {
            return Grant.decode(text);
        } catch (IllegalArgumentException e) {
            throw Arguments.bad(where, text, e);
        }
    }
}
