package dev.leasehold.aws;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a write of your own to DynamoDB depend on a grant. The item that is written carries the fence in four
 * attributes, and DynamoDB compares them with the grant in the same step as it writes. This takes no request, and
 * works with any client of DynamoDB.
 *
 * <ul>
 *   <li>An {@code UpdateItem} has {@link #condition} in its condition, {@link #assignments} in the {@code SET} of its
 *       update, and {@link #values}. Without assignments of your own it only raises the fence.
 *   <li>A {@code PutItem} has {@link #condition} and {@link #values}, and {@link #attributes} in its item.
 *   <li>A {@code TransactWriteItems} contains, beside your writes, such an update of one item that carries the fence of
 *       all of them.
 * </ul>
 *
 * <p>If the condition fails, nothing was written, and {@link #judge} says why. It does not stop a write without the
 * condition. A write that removes the four attributes, or the item, removes the fence.
 */
public final class DynamoDbCondition {
    private static final String NAME = "leaseholdName";
    private static final String STORE = "leaseholdStore";
    private static final String TOKEN = "leaseholdToken";
    private static final String ATTEMPT = "leaseholdAttempt";

    private static final String SAME_NAME = equal(NAME);
    private static final String SAME_STORE = equal(STORE);
    private static final String HIGHER = TOKEN + " < :" + TOKEN;
    private static final String SAME_GRANT = equal(TOKEN) + " AND " + equal(ATTEMPT);

    private static final String CURRENT = "(attribute_not_exists(" + TOKEN + ") OR (" + SAME_NAME + " AND " + SAME_STORE
            + " AND (" + HIGHER + " OR (" + SAME_GRANT + "))))";
    private static final String BINDING =
            "(" + SAME_NAME + " AND (" + HIGHER + " OR (" + SAME_GRANT + " AND " + SAME_STORE + ")))";

    /** So many digits that texts sort like the numbers. Then all values are texts. */
    private static final int DIGITS = 19;

    private final Grant grant;
    private final boolean binds;
    private final Map<String, String> attributes;

    private DynamoDbCondition(Grant grant, boolean binds) {
        if (grant.attempt() == null || grant.store() == null) {
            throw new IllegalArgumentException(
                    grant + " names no attempt or no store: a condition needs the whole grant, as the store issued it");
        }
        this.grant = grant;
        this.binds = binds;
        String token = grant.token().toString();
        this.attributes = Map.of(
                NAME,
                grant.name().value(),
                STORE,
                grant.store().value(),
                TOKEN,
                "0".repeat(DIGITS - token.length()) + token,
                ATTEMPT,
                grant.attempt().value());
    }

    /**
     * Holds if the item has no fence yet, or has not seen a higher token than that of this grant.
     *
     * @param grant a whole one, as the store issued it
     */
    public static DynamoDbCondition of(Grant grant) {
        return new DynamoDbCondition(grant, false);
    }

    /**
     * Binds an item to the store of this grant, because the store to which it is bound was lost or given up. Holds if the
     * grant is above every token that the item has seen.
     */
    public static DynamoDbCondition rebind(Grant grant) {
        return new DynamoDbCondition(grant, true);
    }

    /** The condition, in parentheses: yours can be added with {@code AND}. */
    public String condition() {
        return binds ? BINDING : CURRENT;
    }

    /** What a {@code SET} contains: {@code a = :a, b = :b} and so on. */
    public String assignments() {
        StringJoiner all = new StringJoiner(", ");
        new TreeMap<>(attributes).keySet().forEach(name -> all.add(equal(name)));
        return all.toString();
    }

    /** The values of the expressions by their names, which begin with a colon. All are of type {@code S}. */
    public Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        attributes.forEach((name, value) -> values.put(":" + name, value));
        return values;
    }

    /** What the item of a {@code PutItem} must contain. All values are of type {@code S}. */
    public Map<String, String> attributes() {
        return attributes;
    }

    /**
     * Says why the condition failed. DynamoDB returns the item as it was if the write asks for it with {@code
     * ReturnValuesOnConditionCheckFailure: ALL_OLD}.
     *
     * @param item reads an attribute of the item; null if there is none
     * @return {@link Admission.Admitted} if the grant was not the reason, but a condition of your own
     * @throws dev.leasehold.model.WrongFenceException if the item is guarded by another lease or bound to another store
     */
    public Admission judge(Function<String, @Nullable String> item) {
        FenceState state = state(item);
        if (state == null && binds) {
            throw new TargetUnavailableException(
                    "the item has no fence: there is nothing to bind. Write it with the grant");
        }
        FenceState known = state == null ? FenceState.first(grant) : state;
        return (binds ? known.rebind(grant, "the item") : known.judge(grant, "the item", null)).answer();
    }

    private static @Nullable FenceState state(Function<String, @Nullable String> item) {
        String token = item.apply(TOKEN);
        if (token == null) {
            return null;
        }
        try {
            return new FenceState(
                    LeaseName.of(required(item, NAME)),
                    StoreId.of(required(item, STORE)),
                    FencingToken.parse(token),
                    AttemptId.of(required(item, ATTEMPT)),
                    null,
                    null,
                    null);
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "the fence of the item cannot be read; nothing was written: " + e.getMessage(), e);
        }
    }

    private static String required(Function<String, @Nullable String> item, String name) {
        return Objects.requireNonNullElse(item.apply(name), "");
    }

    private static String equal(String name) {
        return name + " = :" + name;
    }
}
