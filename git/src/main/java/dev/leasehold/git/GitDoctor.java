package dev.leasehold.git;

import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Grade;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Seen;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds out whether a remote can be fenced, by doing it: a scratch fence is made, a push is overtaken on purpose between
 * reading and sending, and the server must refuse all of it. Everything is removed afterwards.
 */
public final class GitDoctor {
    private static final int OLDEST_MINOR = 32;

    private final Path directory;
    private final Map<String, String> environment;
    private final String remote;
    private final Consumer<String> progress;
    private final List<Finding> findings = new ArrayList<>();

    /** An examination to be made of a remote, as it is reached from a directory. */
    public GitDoctor(Path directory, Map<String, String> environment, String remote, Consumer<String> progress) {
        this.directory = directory;
        this.environment = environment;
        this.remote = remote;
        this.progress = progress;
    }

    public Examination examine() {
        LeaseName name = LeaseName.of(LeaseStore.SCRATCH_PREFIX + new SystemIds().unique());
        try (RemoteFence fence = RemoteFence.open(directory, environment, remote, name)) {
            lookAtGit(fence.git());
            progress.accept("reading from " + fence.remote().shown());
            fence.look(null);
            findings.add(Finding.good("it has one push URL, and can be read there"));
            progress.accept("pushing to scratch refs");
            List<String> made = List.of(fence.refs().primary(), fence.refs().fallback());
            try {
                race(fence);
            } catch (TargetUnavailableException e) {
                findings.add(Finding.fault(String.valueOf(e.getMessage())));
            } finally {
                cleanUp(fence, made);
            }
        }
        boolean fault = findings.stream().anyMatch(finding -> finding.kind() == Finding.Kind.FAULT);
        return new Examination(fault ? Grade.UNSAFE : Grade.ATOMIC, findings);
    }

    private void lookAtGit(Git git) {
        int[] version = version(git);
        String text = "this git is " + version[0] + "." + version[1];
        boolean young = version[0] > 2 || (version[0] == 2 && version[1] >= OLDEST_MINOR);
        findings.add(
                young
                        ? Finding.good(text)
                        : Finding.warning(text + ": 2." + OLDEST_MINOR + " is the oldest that was tried"));
    }

    /** The first two numbers of git's version. */
    static int[] version(Git git) {
        Git.Answer answer = git.here("version").inEnglish().run();
        int[] numbers = new int[2];
        int which = -1;
        for (char c : (answer.out() + " ").toCharArray()) {
            boolean digit = c >= '0' && c <= '9';
            if (which < 0 ? digit : c == '.') {
                which++;
            }
            if (which > 1 || (which >= 0 && !digit && c != '.')) {
                break;
            }
            if (digit) {
                numbers[which] = numbers[which] * 10 + (c - '0');
            }
        }
        return numbers;
    }

    /** A push of two refs, overtaken when it has read where the fence is and has not sent anything yet. */
    private void race(RemoteFence fence) {
        Grant grant = Grant.bare(fence.refs().name(), FencingToken.of(1));
        List<String> notices = new ArrayList<>();
        new FenceBirth(fence, notices::add).give(grant);
        notices.forEach(notice -> findings.add(Finding.warning(notice)));
        if (notices.isEmpty()) {
            findings.add(Finding.good("it accepts " + FenceRef.PRIMARY + "*, so no branch is needed for the fence"));
        }
        findings.add(Finding.good("it promises atomic pushes"));
        Seen seen = fence.look(null)
                .orElseThrow(() -> new TargetUnavailableException("the scratch fence was made, and is not there"));
        FenceCommit slow = fence.follow(seen.commit(), seen.commit().state());
        FenceCommit fast = fence.follow(seen.commit(), seen.commit().state());
        progress.accept("overtaking a push");
        PushReport report = fence.overtake(seen.ref(), seen.commit(), slow, fast, other(seen.ref()));
        List<String> there = fence.list(other(seen.ref()));
        boolean refused = !report.moved(seen.ref()) && there.isEmpty();
        boolean overtaken = fence.list(seen.ref()).contains(fast.id());
        if (!overtaken) {
            findings.add(Finding.fault("the push that should have overtaken another did not land: " + report.words()));
        } else if (refused) {
            findings.add(Finding.good("a push that was overtaken after it had read the fence was refused, all of it"));
        } else {
            findings.add(Finding.fault("a push that was overtaken landed all the same: a stale push could, too"));
        }
    }

    private static String other(String ref) {
        return ref + "-other";
    }

    private void cleanUp(RemoteFence fence, List<String> refs) {
        List<String> all = new ArrayList<>(refs);
        refs.forEach(ref -> all.add(other(ref)));
        try {
            fence.delete(all);
            for (String ref : all) {
                if (!fence.list(ref).isEmpty()) {
                    findings.add(Finding.warning("the scratch ref " + ref + " could not be removed; it does no harm"));
                }
            }
        } catch (TargetUnavailableException e) {
            findings.add(Finding.warning("whether scratch refs were left is not known: " + e.getMessage()));
        }
    }
}
