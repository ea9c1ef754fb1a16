package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Requires(InstalledProgram.MYSQL)
class MySqlStoreTest extends InnoDbStoreTest {
    @RegisterExtension
    static final MySqlServer SERVER = MySqlServer.SHARED;

    private static final Duration TTL = Duration.ofMinutes(10);

    MySqlStoreTest() {
        super(SERVER);
    }

    /** The client may be frozen between the two statements. */
    @Test
    void whoGotTheNameLearnsItAlsoAfterASuccessor() throws Exception {
        LeaseStatements statements = new LeaseStatements(new MySqlDialect(), TableNames.LIVE);
        LeaseName name = LeaseName.of("frozen-" + UUID.randomUUID());
        OwnershipRequest claim = OwnershipRequest.ordinary(name, attempt(), Holder.of("frozen"), TTL);
        try (LeaseStore store = SERVER.openStore();
                Connection connection = SERVER.dataSource().getConnection()) {
            grant(store, "another-" + name);
            assertThat(Database.changes(connection, statements.acquire, claim.params()))
                    .isTrue();
            long first = store.inspect(name).orElseThrow().lease().token().value();
            store.intervene(Intervention.takeover(name, attempt(), Holder.of("next"), TTL, Note.of("test")));

            Optional<Acquisition> answer =
                    SecondStatement.taken(connection, statements.taken.orElseThrow(), claim, store.id());
            Acquisition.Granted granted = (Acquisition.Granted) answer.orElseThrow();
            assertThat(granted.grant().token().value()).isEqualTo(first);
            assertThat(granted.transfer().reason()).isEqualTo(TransferReason.FIRST);
            assertThat(granted.transfer()).isEqualTo(store.history(name, 2).get(1));

            // The connection keeps the id of its last grant, and must not take it for the next answer.
            assertThat(Database.changes(connection, statements.acquire, claim.params()))
                    .isTrue();
            assertThat(SecondStatement.taken(connection, statements.taken.orElseThrow(), claim, store.id()))
                    .isEmpty();
        }
    }

    /** A frozen client that would have to guess whether it got the name would report an error, and never try again. */
    @Test
    void grantOfANameThatWasForgottenMeanwhileIsSpent() throws Exception {
        LeaseStatements statements = new LeaseStatements(new MySqlDialect(), TableNames.LIVE);
        LeaseName name = LeaseName.of("forgotten-" + UUID.randomUUID());
        OwnershipRequest claim = OwnershipRequest.ordinary(name, attempt(), Holder.of("frozen"), TTL);
        try (LeaseStore store = SERVER.openStore();
                Connection connection = SERVER.dataSource().getConnection()) {
            assertThat(Database.changes(connection, statements.acquire, claim.params()))
                    .isTrue();
            FencingToken token = store.inspect(name).orElseThrow().lease().token();
            store.release(new Grant(name, token, claim.attempt(), store.id()), Duration.ZERO);
            assertThat(store.forget(List.of(new ForgetRequest(name, token)))).containsExactly(Forgetting.FORGOTTEN);

            assertThat(SecondStatement.taken(connection, statements.taken.orElseThrow(), claim, store.id()))
                    .contains(new Acquisition.Spent());
            grant(store, name.value());
            assertThat(SecondStatement.taken(connection, statements.taken.orElseThrow(), claim, store.id()))
                    .contains(new Acquisition.Spent());
        }
    }

    /** What a statement counts depends on the driver's settings. */
    @Test
    void driverThatCountsChangedRowsOnlyGetsTheSameAnswers() {
        LeaseName name = LeaseName.of("counted-" + UUID.randomUUID());
        try (LeaseStore store = JdbcLeaseStore.create(SERVER.countingChangedRows())) {
            Grant grant = grant(store, name.value());
            for (int i = 0; i < 2; i++) {
                assertThat(store.acquire(name, attempt(), Holder.of("other"), TTL))
                        .isInstanceOf(Acquisition.Busy.class);
                assertThat(store.renew(List.of(new RenewRequest(grant, TTL))).get(0))
                        .isInstanceOf(Renewal.Renewed.class);
            }
            assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
            assertThat(grant(store, name.value()).token().value())
                    .isEqualTo(grant.token().value() + 1);
        }
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }

    @Test
    void unsyncedBinaryLogIsReported() throws Exception {
        SERVER.asRoot("set global sync_binlog = 0");
        try (LeaseStore store = SERVER.openStore()) {
            assertThat(store.warnings())
                    .singleElement()
                    .asString()
                    .contains("sync_binlog=0", "a crash can lose grants");
        } finally {
            SERVER.asRoot("set global sync_binlog = 1");
        }
    }

    /** The driver does not send the password over a plain connection, unless it has the server's key. */
    @Test
    void passwordWithoutTlsIsRefusedWithAWayOut() throws Exception {
        SERVER.asRoot("create user careful identified by 'hunter2'", "grant all on leases.* to careful");
        String url = "mysql://careful:hunter2@127.0.0.1:" + SERVER.port() + "/leases";
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was changed")
                .hasMessageContaining("sslMode=verify-full")
                .hasMessageContaining("allowPublicKeyRetrieval=true")
                .message()
                .doesNotContain("hunter2");
        new JdbcStoreProvider().create(url + "?sslMode=trust").close();
        // The server remembers the password now, and recognizes it without its key.
        new JdbcStoreProvider().create(url).close();
        for (String wayOut :
                List.of("allowPublicKeyRetrieval=true", "serverRsaPublicKeyFile=" + MySqlServer.publicKey())) {
            SERVER.asRoot("flush privileges");
            assertThatThrownBy(() -> new JdbcStoreProvider().create(url)).hasMessageContaining("its public key");
            new JdbcStoreProvider().create(url + "?" + wayOut).close();
        }
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url.replace("hunter2", "wrong")))
                .isInstanceOf(StoreUnavailableException.class)
                .message()
                .doesNotContain("hunter2");
        assertThatThrownBy(() -> new JdbcStoreProvider()
                        .create(url.replace("hunter2", "wrong") + "?allowPublicKeyRetrieval=true"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("rejects this user or password");
    }
}
