package dev.leasehold.mcp;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.WrongFenceException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tool that replaces a file, unless the lease is stale. */
final class FileTool {
    static final String NAME = "write_file";

    /** However its characters are escaped, such a content fits into a line. */
    private static final int MAX_CONTENT = McpStdio.MAX_LINE / 16;

    private static final String BASE64 = "base64";

    private final LeaseStore store;
    private final Handles handles;
    private final Roots roots;
    private final Ticker ticker;
    private final ToolFailures failures;
    private final RefusedWrites refusals;

    FileTool(LeaseStore store, Roots roots, Ticker ticker, ToolFailures failures) {
        this.store = store;
        this.handles = new Handles(store);
        this.roots = roots;
        this.ticker = ticker;
        this.failures = failures;
        this.refusals = new RefusedWrites(store.register(), failures);
    }

    Tool tool() {
        return new Tool(
                NAME,
                "Write a file, unless the lease is stale",
                "Replaces a file as a whole, if your lease still counts: the file remembers the highest lease that wrote"
                        + " it, and refuses every older one in the same step as the write. Use it for files that others"
                        + " may write as well. 'stale' means that nothing was written, because somebody else has the"
                        + " lease now. The first write binds the file to the name of your lease.",
                List.of(
                        Handles.INPUT,
                        Input.text(
                                        "path",
                                        4096,
                                        "the file, absolute or relative to the first directory that this server may"
                                                + " write in; its directory must exist")
                                .needed(),
                        Input.text(
                                        "content",
                                        MAX_CONTENT,
                                        "the whole new content of the file, at most " + MAX_CONTENT + " characters")
                                .orEmpty()
                                .needed(),
                        Input.choice(
                                "encoding", List.of("utf-8", BASE64), "how content is to be read (default: utf-8)")),
                true,
                List.of("written", "stale", "wrong_lease", "store_went_back"),
                this::write);
    }

    /** What a call gets where no directory may be written. */
    static ToolResult refusedWithoutRoot() {
        return ToolResult.failed(
                "forbidden",
                "this server writes no files: nothing was written. A person allows it for a directory by starting"
                        + " 'leasehold mcp --root DIRECTORY'. Do not write the file in another way while others may"
                        + " write it");
    }

    private ToolResult write(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        Path path = roots.resolve(arguments.text("path"));
        byte[] content = content(arguments);
        // Before the fence learns of the token: a handle that nobody was granted must not bind the file.
        Loss loss = loss(grant);
        if (loss != null) {
            return stale(grant, path, caller, loss);
        }
        try {
            Admission admission = FencedFile.at(path).admit(grant, Content.of(content));
            return admission instanceof Admission.Refused refused
                    ? refused(grant, path, caller, refused)
                    : ToolResult.of("written", "The file is replaced.")
                            .put("path", path.toString())
                            .put("bytes", content.length)
                            .put("token", grant.token().value())
                            .put("warning", FencedFile.at(path).weakness().orElse(null));
        } catch (WrongFenceException e) {
            return ToolResult.of(
                    "wrong_lease",
                    "the file belongs to another lease than " + grant.name()
                            + ", or to a lease of another store: nothing"
                            + " was written. Acquire the lease that guards it; 'leasehold fence show FILE' names it");
        } catch (TargetUnavailableException e) {
            failures.log("a file could not be written", e);
            return ToolResult.failed(
                    "unavailable",
                    "the system did not let this server replace the file: another writer may hold its lock, it may have"
                            + " several hard links, or belong to another user. It has its old content or the new one, as"
                            + " a whole. Writing again with the same handle is harmless; the log of this server says"
                            + " more");
        }
    }

    private @Nullable Loss loss(Grant grant) {
        return new BestEffortGate(store, ticker).check(grant).orElse(null);
    }

    /** Records it where supervisors look. */
    private ToolResult stale(Grant grant, Path path, McpCaller caller, Loss loss) {
        refusals.record(caller, grant, path, loss.explanation());
        return Facts.stale(grant, loss);
    }

    private ToolResult refused(Grant grant, Path path, McpCaller caller, Admission.Refused refused) {
        Loss loss = loss(grant);
        if (loss != null) {
            return stale(grant, path, caller, loss);
        }
        return ToolResult.of(
                "store_went_back",
                "the file has seen a newer lease than " + grant
                        + ", although the store calls yours current: the store has"
                        + " lost records. Nothing was written. A person has to raise its counter with 'leasehold repair'"
                        + (refused instanceof Admission.Stale stale ? " above " + stale.raised() : ""));
    }

    private static byte[] content(ToolArguments arguments) {
        String text = arguments.text("content");
        if (!BASE64.equals(arguments.optional("encoding"))) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw ToolArguments.invalid("'content' is not base64");
        }
    }
}
