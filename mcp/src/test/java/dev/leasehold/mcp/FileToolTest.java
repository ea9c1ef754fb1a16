package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.events.RunLog;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileToolTest {
    @TempDir
    Path directory;

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private Path root;
    private McpService service;
    private Agent agent;

    @BeforeEach
    void start() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        service = McpService.over(store).roots(List.of(root)).build();
        agent = new Agent(service);
    }

    @AfterEach
    void stop() {
        service.close();
        store.close();
    }

    private Map<String, Object> write(String handle, Object path, String content) {
        return agent.call("write_file", "handle", handle, "path", path.toString(), "content", content);
    }

    @Test
    void aFileIsReplacedAsAWhole() throws IOException {
        String handle = agent.acquire("page");
        assertThat(write(handle, "index.html", "one \u00e4")).containsEntry("outcome", "written");
        assertThat(write(handle, root.resolve("index.html"), "")).containsEntry("outcome", "written");
        assertThat(root.resolve("index.html")).isEmptyFile();
        assertThat(agent.call("write_file", "handle", handle, "path", "b", "content", "AAEC", "encoding", "base64"))
                .containsEntry("bytes", 3);
        assertThat(root.resolve("b")).hasBinaryContent(new byte[] {0, 1, 2});
        assertThat(agent.call("write_file", "handle", handle, "path", "b", "content", "?", "encoding", "base64"))
                .containsEntry("outcome", "invalid");
    }

    /** Also by an agent that is a zombie: its successor has written. */
    @Test
    void aStaleLeaseWritesNothing() throws IOException {
        String old = agent.acquire("page");
        assertThat(write(old, "f", "old")).containsEntry("outcome", "written");
        takeOver();
        Map<String, Object> refused = write(old, "f", "zombie");
        assertThat(refused).containsEntry("outcome", "stale").containsEntry("isError", false);
        assertThat((String) refused.get("message")).contains("it hangs", "bob");
        assertThat(root.resolve("f")).hasContent("old");
        write(old, "f", "again");
        assertThat(new RunLog(store.register()).of(LeaseName.of("page")).newestFirst())
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.kind()).isEqualTo("stale_refused");
                    assertThat(entry.detail()).contains("root/f", "it hangs");
                });
    }

    /** The agent was paused after the store had called its lease current. */
    @Test
    void aLeaseThatIsLostBeforeTheWriteArrivesWritesNothing() throws IOException {
        String old = agent.acquire("page");
        LeaseStore pausing = new ForwardingLeaseStore(store) {
            @Override
            public List<Renewal> renew(List<RenewRequest> requests) {
                List<Renewal> before = super.renew(requests);
                if (store.history(LeaseName.of("page"), 2).size() == 1) {
                    Acquisition taken = takeOver();
                    FencedFile.at(root.resolve("f"))
                            .admit(((Acquisition.Granted) taken).grant(), Content.of("successor"));
                }
                return before;
            }
        };
        try (McpService paused = McpService.over(pausing).roots(List.of(root)).build()) {
            assertThat(new Agent(paused).call("write_file", "handle", old, "path", "f", "content", "zombie"))
                    .containsEntry("outcome", "stale");
        }
        assertThat(root.resolve("f")).hasContent("successor");
    }

    private Acquisition takeOver() {
        return store.intervene(Intervention.takeover(
                LeaseName.of("page"),
                AttemptId.of("takeover-1"),
                Holder.of("bob"),
                Duration.ofMinutes(5),
                Note.of("it hangs")));
    }

    /** The store has lost the records of leases that the file remembers. */
    @Test
    void aFileThatKnowsMoreThanTheStoreIsNotWritten() throws IOException {
        String handle = agent.acquire("page");
        Grant grant = Grant.decode(handle);
        Grant later = new Grant(
                grant.name(), dev.leasehold.model.FencingToken.of(9), AttemptId.of("attempt-9"), grant.store());
        dev.leasehold.fence.FencedFile.at(root.resolve("f")).admit(later, dev.leasehold.fence.Content.of("newer"));
        Map<String, Object> refused = write(handle, "f", "older");
        assertThat(refused).containsEntry("outcome", "store_went_back");
        assertThat((String) refused.get("message")).contains("repair", "9");
        assertThat(root.resolve("f")).hasContent("newer");
    }

    @Test
    void aHandleThatNobodyWasGrantedBindsNoFile() {
        Grant grant = Grant.decode(agent.acquire("page"));
        Grant invented = new Grant(
                grant.name(), dev.leasehold.model.FencingToken.of(999), AttemptId.of("invented"), grant.store());
        assertThat(write(invented.encode(), "f", "x")).containsEntry("outcome", "stale");
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aFileBelongsToOneLease() throws IOException {
        assertThat(write(agent.acquire("page"), "f", "one")).containsEntry("outcome", "written");
        assertThat(write(agent.acquire("other"), "f", "two")).containsEntry("outcome", "wrong_lease");
        assertThat(root.resolve("f")).hasContent("one");
    }

    @Test
    void nothingOutsideOfTheRootIsWritten() throws IOException {
        String handle = agent.acquire("page");
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("f"), "mine");
        Path sibling = Files.createDirectory(directory.resolve("root-2"));
        Files.createSymbolicLink(root.resolve("out"), outside);
        Files.createSymbolicLink(root.resolve("link"), outside.resolve("f"));
        Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("new"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        Files.createDirectory(root.resolve("in"));
        for (Object path : waysOut(outside, sibling)) {
            Map<String, Object> refused = write(handle, path, "stolen");
            if (path.equals("f/")) {
                // The same file as without the slash.
                assertThat(refused).containsEntry("outcome", "written");
                continue;
            }
            assertThat(refused.get("outcome")).as("%s", path).isIn("forbidden", "invalid");
            assertThat(refused).containsEntry("isError", true);
        }
        assertThat(outside.resolve("f")).hasContent("mine");
        assertThat(outside).isDirectoryNotContaining("glob:**/new");
        assertThat(sibling).isEmptyDirectory();
    }

    private List<Object> waysOut(Path outside, Path sibling) {
        return List.of(
                "../outside/f",
                "in/../../outside/f",
                root + "/../outside/f",
                outside.resolve("f"),
                sibling.resolve("f"),
                "out/f",
                "out/new",
                "link",
                "dangling",
                "loop",
                "loop/f",
                "/etc/leasehold-test",
                "/",
                ".",
                root,
                "..",
                "in",
                "missing/f",
                outside.resolve("f") + "/x",
                "a\0b",
                "f/",
                "~/f",
                "");
    }

    /** Whoever could write a fence could make it forget the highest token. */
    @Test
    void filesOfLeaseholdAndGitAreNotWritten() throws IOException {
        String handle = agent.acquire("page");
        write(handle, "f", "one");
        Files.createDirectories(root.resolve(".git/hooks"));
        Files.createDirectories(root.resolve("leases"));
        Stores.create("file:" + root.resolve("leases/store")).close();
        Files.createSymbolicLink(root.resolve("innocent"), root.resolve(".git"));
        for (String path : List.of(
                ".f.leasehold-fence",
                ".f.leasehold-staged-1",
                ".f.leasehold",
                ".git/config",
                ".GIT",
                ".f.Leasehold-fence",
                ".git/hooks/pre-commit",
                "innocent/config",
                "leases/store/leasehold-store",
                "leases/store/x",
                "leases/store/leases/x")) {
            assertThat(write(handle, path, "x").get("outcome")).as(path).isIn("forbidden", "invalid");
        }
        assertThat(write(handle, "f", "two")).containsEntry("outcome", "written");
        assertThat(write(handle, "leases/notes.txt", "fine")).containsEntry("outcome", "written");
        assertThat(write(handle, ".gitignore", "fine")).containsEntry("outcome", "written");
    }

    @Test
    void aLinkInsideOfTheRootLeadsToItsFile() throws IOException {
        Files.writeString(root.resolve("real"), "old");
        Files.createSymbolicLink(root.resolve("alias"), root.resolve("real"));
        assertThat(write(agent.acquire("page"), "alias", "new")).containsEntry("outcome", "written");
        assertThat(root.resolve("real")).hasContent("new");
        assertThat(Files.isSymbolicLink(root.resolve("alias"))).isTrue();
    }

    @Test
    void whatTheSystemRefusesIsAResult() throws IOException {
        Files.writeString(root.resolve("a"), "old");
        Files.createLink(root.resolve("b"), root.resolve("a"));
        Map<String, Object> refused = write(agent.acquire("page"), "a", "new");
        assertThat(refused).containsEntry("outcome", "unavailable").containsEntry("isError", true);
        assertThat(root.resolve("a")).hasContent("old");
    }

    @Test
    void withoutARootNothingIsWritten() throws IOException {
        try (McpService without = McpService.over(store).build()) {
            Map<String, Object> refused =
                    new Agent(without).call("write_file", "handle", "x", "path", "/tmp/x", "content", "x");
            assertThat(refused).containsEntry("outcome", "forbidden").containsEntry("isError", true);
            assertThat((String) refused.get("message")).contains("--root");
        }
        assertThatThrownBy(() -> McpService.over(store)
                        .roots(List.of(directory.resolve("missing")))
                        .build())
                .isInstanceOf(IOException.class);
    }
}
