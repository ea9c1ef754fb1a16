package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.git.GitFence;
import dev.leasehold.git.GitPush;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code leasehold push}: a git push that the remote refuses if the token is stale. */
public final class PushCommand implements Command {
    private static final String NAME_EACH = "name each branch or tag explicitly";
    private static final String NO_DELETING = "a fenced push cannot delete; nothing was pushed";
    private static final String NO_FORCE =
            "it would force the fence too; write +REFSPEC to force a single branch under the fence";

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.of("push", "git push, unless the token is stale")
                .description(
                        """
                        Pushes like 'git push REMOTE REFSPEC...', with your git, credentials and hooks, if the remote has
                        seen no higher token of this lease. The fence is a ref, refs/leasehold/NAME, that moves in the
                        same atomic push, so a paused run that lost its lease cannot push in between. Inside 'leasehold
                        run', name and token come from the environment. Exit 13 if the token is stale, 1 if the remote
                        rejected the push for another reason; in both cases nothing was pushed.""")
                .positional(Positional.of("REMOTE", Kind.TEXT))
                .positional(Positional.several("REFSPEC", Kind.TEXT))
                .never("force", NO_FORCE)
                .never("f", NO_FORCE)
                .never("force-with-lease", NO_FORCE)
                .never("delete", NO_DELETING)
                .never("d", NO_DELETING)
                .never("prune", NO_DELETING)
                .never("mirror", NAME_EACH)
                .never("all", NAME_EACH)
                .never("branches", NAME_EACH)
                .never("tags", NAME_EACH)
                .example("leasehold push origin main v1.4 --name release --token 42");
        return FencedWrite.options(spec);
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        List<String> words = invocation.arguments().positionals();
        String remote = words.get(0);
        GitPush push = GitPush.of(words.subList(1, words.size()));
        Grant grant = ShownGrant.ofOptions(invocation);
        TargetOption target = TargetOption.remote(remote);
        TokenCheck check = new TokenCheck(invocation, grant, target);
        GitFence plain = target.gitFence(check::known, invocation);
        GitFence fence = Observation.isWanted(invocation) ? plain.observing() : plain;
        String shown = Secrets.withoutPassword(remote);
        try {
            check.require();
        } catch (TokenCheck.RefusedByStore refused) {
            return Refusals.report(invocation, target, grant, refused);
        }
        Admission admission = FencedWrite.isOnce(invocation) ? fence.admitOnce(grant, push) : fence.admit(grant, push);
        if (admission instanceof Admission.Rejected rejected) {
            return rejected(invocation, shown, grant, rejected);
        }
        if (admission instanceof Admission.Refused refused) {
            return Refusals.report(invocation, target, grant, refused);
        }
        check.remember();
        return pushed(invocation, shown, grant, admission, String.join(" ", words.subList(1, words.size())));
    }

    private static int rejected(Invocation invocation, String remote, Grant grant, Admission.Rejected rejected) {
        if (invocation.json()) {
            invocation
                    .console()
                    .print(JsonViews.outcome("rejected", grant)
                            .put("target", remote)
                            .put("detail", rejected.words())
                            .toString());
        }
        invocation.console().error(remote + " rejected the push; nothing was pushed: " + rejected.explanation());
        return ExitCode.REJECTED;
    }

    private static int pushed(Invocation invocation, String remote, Grant grant, Admission admission, String refspecs)
            throws InterruptedException {
        Console console = invocation.console();
        Admission.@Nullable Refused instead =
                admission instanceof Admission.Observed observed ? observed.instead() : null;
        boolean again = admission instanceof Admission.AlreadyWritten;
        if (Observation.isWanted(invocation)) {
            Observation.report(invocation, remote, grant, instead);
        }
        if (invocation.json()) {
            Json json = JsonViews.outcome(again ? "already-pushed" : "pushed", grant)
                    .put("target", remote);
            console.print((instead == null ? json : json.put("wouldRefuse", Refusals.outcome(instead))).toString());
        } else {
            console.say(remote + (again ? ": already pushed by " + grant : ": pushed " + refspecs + " under " + grant));
        }
        return ExitCode.OK;
    }
}
