package dev.leasehold.git;

import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.ExaminationProgress;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Grade;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Tip;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds out by trial whether a remote can be fenced. It creates a scratch fence, lets one push
 * overtake another between reading and sending, and checks that the server refuses the whole
 * overtaken push. Then it deletes the scratch refs.
 */
public final class GitDoctor {
    private static final int OLDEST_MINOR = 32;

    private final Path directory;
    private final Map<String, String> environment;
    private final String remote;
    private final ExaminationProgress progress;
    private final List<Finding> findings = new ArrayList<>();

    /** Prepares the examination of a remote as seen from a directory. */
    public GitDoctor(Path directory, Map<String, String> environment, String remote, ExaminationProgress progress) {
        this.directory = directory;
        this.environment = environment;
        this.remote = remote;
        this.progress = progress;
    }

    /** Runs the trial, which needs the right to push. */
    public Examination examine() {
        LeaseName name = LeaseName.of(LeaseStore.SCRATCH_PREFIX + new SystemIds().unique());
        try (RemoteFence fence = RemoteFence.open(directory, environment, remote, name)) {
            checkVersion(fence.git());
            progress.step("reading from " + fence.remote().shown());
            fence.read(null);
            findings.add(Finding.good("it has one push URL, and can be read there"));
            progress.step("pushing to scratch refs");
            List<String> made = List.of(fence.refs().primary(), fence.refs().fallback());
            try {
                race(fence);
            } catch (TargetUnavailableException e) {
                // Ctrl-C also ends the git that is running.
                if (!progress.isStopped()) {
                    findings.add(Finding.fault(String.valueOf(e.getMessage())));
                }
            } finally {
                cleanUp(fence, made);
            }
        } catch (TargetUnavailableException e) {
            if (!progress.isStopped()) {
                throw e;
            }
        }
        if (progress.isStopped()) {
            return new Examination(Grade.UNKNOWN, findings);
        }
        boolean fault = findings.stream().anyMatch(finding -> finding.kind() == Finding.Kind.FAULT);
        return new Examination(fault ? Grade.UNSAFE : Grade.ATOMIC, findings);
    }

    private void checkVersion(Git git) {
        int[] version = version(git);
        String text = "this git is " + version[0] + "." + version[1];
        boolean young = version[0] > 2 || (version[0] == 2 && version[1] >= OLDEST_MINOR);
        findings.add(
                young
                        ? Finding.good(text)
                        : Finding.warning(text + ": 2." + OLDEST_MINOR + " is the oldest tested version"));
    }

    /** The first two numbers of git's version. */
    static int[] version(Git git) {
        Git.Result answer = git.here("version").inEnglish().run();
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

    /**
     * Pushes two refs, and lets another push move the fence after the first has read it and before
     * it sends.
     */
    private void race(RemoteFence fence) {
        Grant grant = Grant.bare(fence.refs().name(), FencingToken.of(1));
        List<String> notices = new ArrayList<>();
        new FenceCreator(fence, notices::add).create(grant);
        notices.forEach(notice -> findings.add(Finding.warning(notice)));
        if (notices.isEmpty()) {
            findings.add(Finding.good("it accepts " + FenceRef.PRIMARY + "*, so no branch is needed for the fence"));
        }
        findings.add(Finding.good("it promises atomic pushes"));
        Tip tip = fence.read(null)
                .orElseThrow(() -> new TargetUnavailableException("the scratch fence was created but cannot be found"));
        FenceCommit slow = fence.newCommit(tip.commit(), tip.commit().state());
        FenceCommit fast = fence.newCommit(tip.commit(), tip.commit().state());
        progress.step("overtaking a push");
        PushReport report = fence.pushWhileOvertaken(tip.ref(), tip.commit(), slow, fast, other(tip.ref()));
        List<String> there = fence.list(other(tip.ref()));
        boolean refused = !report.moved(tip.ref()) && there.isEmpty();
        boolean overtaken = fence.list(tip.ref()).contains(fast.id());
        if (!overtaken) {
            findings.add(Finding.fault("the push that should have overtaken another did not land: " + report.reason()));
        } else if (refused) {
            findings.add(Finding.good("a push that was overtaken after it had read the fence was refused as a whole"));
        } else {
            findings.add(Finding.fault("a push that was overtaken landed anyway: a stale push could land, too"));
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
                    findings.add(Finding.warning("the scratch ref " + ref + " could not be deleted; it is harmless"));
                }
            }
        } catch (TargetUnavailableException e) {
            findings.add(Finding.warning("whether scratch refs were left behind is unknown: " + e.getMessage()));
        }
    }
}
