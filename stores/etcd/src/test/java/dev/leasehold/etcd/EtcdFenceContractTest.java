package dev.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.testkit.FenceContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdFenceContractTest extends FenceContract<EtcdWrite> {
    private final String key = "report-" + UUID.randomUUID();
    private final List<EtcdClient> clients = new ArrayList<>();

    @Override
    protected Fence<EtcdWrite> openFence() {
        return EtcdFence.at(client(), key + "/fence");
    }

    @Override
    protected EtcdWrite write(String content) {
        return EtcdWrite.put(key, content);
    }

    @Override
    protected Optional<String> read() {
        return read(key);
    }

    private Optional<String> read(String name) {
        return EtcdMessages.keys(clients.get(0).call("kv/range", EtcdMessages.range(name), EtcdClient.Repeat.SAFE))
                .stream()
                .map(EtcdKey::value)
                .findFirst();
    }

    private EtcdClient client() {
        clients.add(EtcdClient.connect(SharedEtcd.server().url()));
        return clients.get(clients.size() - 1);
    }

    @AfterEach
    void closeClients() {
        clients.forEach(EtcdClient::close);
    }

    private static Grant token(long token) {
        return new Grant(NAME, FencingToken.of(token), AttemptId.of("attempt-" + token), STORE);
    }

    @Test
    void severalKeysChangeTogetherOrNotAtAll() {
        EtcdWrite both = EtcdWrite.put(key, "one").andPut(key + "/index", "1").andDelete(key + "/draft");
        fence.admit(token(1), EtcdWrite.put(key + "/draft", "draft"));
        assertThat(fence.admit(token(2), both)).isInstanceOf(Admission.Admitted.class);
        assertThat(read(key + "/index")).contains("1");
        assertThat(read(key + "/draft")).isEmpty();
        assertThat(openFence()
                        .admit(token(1), EtcdWrite.put(key + "/index", "0").andDelete(key)))
                .isInstanceOf(Admission.Stale.class);
        assertThat(read(key + "/index")).contains("1");
        assertContent("one");
    }

    @Test
    void transactionOfTheCallerFailsAfterAHigherTokenWasSeen() {
        EtcdFence zombies = (EtcdFence) fence;
        EtcdFence.Condition condition = zombies.condition(token(1));
        assertThat(condition.admission()).isInstanceOf(Admission.Admitted.class);
        assertThat(callersTransaction(condition, "first")).isTrue();
        EtcdFence.Condition late = zombies.condition(token(1));
        openFence().raise(token(2));
        assertThat(callersTransaction(late, "too late")).isFalse();
        assertContent("first");
        assertThat(zombies.condition(token(1)).admission()).isInstanceOf(Admission.Stale.class);
        assertThat(callersTransaction(zombies.condition(token(3)), "of three")).isTrue();
        assertThat(openFence().raise(token(2))).isInstanceOf(Admission.Stale.class);
    }

    /** A caller that forgets to look at the answer must not write either. */
    @Test
    void conditionOfARefusedGrantNeverHolds() {
        EtcdFence own = (EtcdFence) fence;
        own.raise(token(2));
        Grant twin = new Grant(NAME, FencingToken.of(2), AttemptId.of("attempt-of-a-twin"), STORE);
        for (Grant refused : List.of(token(1), twin)) {
            EtcdFence.Condition condition = own.condition(refused);
            assertThat(condition.admission()).isInstanceOf(Admission.Refused.class);
            assertThat(callersTransaction(condition, "in spite of it")).isFalse();
        }
        assertThat(read()).isEmpty();
        assertThat(callersTransaction(own.condition(token(2)), "of two")).isTrue();
        assertThat(callersTransaction(own.condition(token(2)), "of two again")).isTrue();
        assertContent("of two again");
    }

    /** As any etcd client would send it. */
    private boolean callersTransaction(EtcdFence.Condition condition, String content) {
        Map<String, Object> transaction = EtcdMessages.transaction(
                EtcdMessages.unchanged(condition.key(), condition.revision()),
                List.of(EtcdMessages.put(condition.key(), condition.value()), EtcdMessages.put(key, content)));
        return EtcdMessages.revision(clients.get(0).call("kv/txn", transaction, EtcdClient.Repeat.NEVER))
                .isPresent();
    }

    @Test
    void writeToTheFenceItselfIsRefused() {
        assertThatThrownBy(() -> fence.admit(token(1), EtcdWrite.put(key + "/fence", "x")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
