package dev.leasehold.cli.child;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Variables that must not reach the supervisor's bash, because bash would change them ({@code PWD},
 * {@code OLDPWD}, {@code SHLVL}), warn about them (a locale that is not installed) or obey them.
 * All other variables pass through bash unchanged, except {@code _}, which each shell sets itself.
 * These variables travel as arguments, so none of them may be a secret.
 *
 * @param kept {@code NAME=VALUE} pairs that the supervisor sets for the command only
 * @param prefix words to put before the command, for variables that are read-only in bash
 */
record SupervisorEnvironment(List<String> kept, List<String> prefix) {
    private static final List<String> KEPT = List.of("PWD", "OLDPWD", "SHLVL", "LC_ALL", "BASH_ENV", "POSIXLY_CORRECT");
    private static final List<String> READ_ONLY_IN_BASH = List.of("SHELLOPTS", "BASHOPTS");

    /** Removes these variables from {@code environment}. */
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
