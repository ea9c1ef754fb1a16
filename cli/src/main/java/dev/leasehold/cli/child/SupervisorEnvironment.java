package dev.leasehold.cli.child;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Carries past the guard's bash what bash would change (the three it keeps itself), complain about (a locale that is
 * not installed) or obey. All others pass through it unchanged, but for
 * {@code _}, a note that each shell makes for itself. None of these is ever a secret, which matters, because
 * they travel as arguments.
 *
 * @param kept {@code NAME=VALUE} that the guard hands to the command alone
 * @param prefix words to put before the command: for variables that no bash lets anybody set
 */
record SupervisorEnvironment(List<String> kept, List<String> prefix) {
    private static final List<String> KEPT = List.of("PWD", "OLDPWD", "SHLVL", "LC_ALL", "BASH_ENV", "POSIXLY_CORRECT");
    private static final List<String> READ_ONLY_IN_BASH = List.of("SHELLOPTS", "BASHOPTS");

    /** Takes those variables out of {@code environment}. */
    static SupervisorEnvironment takeFrom(Map<String, String> environment) {
        List<String> kept = take(KEPT, environment);
        List<String> prefix = new ArrayList<>(take(READ_ONLY_IN_BASH, environment));
        if (!prefix.isEmpty()) {
            prefix.add(0, "env");
        }
        return new SupervisorEnvironment(kept, prefix);
    }

    private static List<String> take(List<String> names, Map<String, String> environment) {
        List<String> taken = new ArrayList<>();
        for (String name : names) {
            String value = environment.remove(name);
            if (value != null) {
                taken.add(name + "=" + value);
            }
        }
        return taken;
    }
}
