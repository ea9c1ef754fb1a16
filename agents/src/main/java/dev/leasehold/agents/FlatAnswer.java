package dev.leasehold.agents;

import dev.leasehold.internal.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to an agent that wants a denial and its reason in two fields, and everything else in a third. */
final class FlatAnswer {
    private FlatAnswer() {}

    /** @param decision the name of the field that says "deny" */
    static String of(HookVerdict verdict, String decision, String reason, String note) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        if (verdict instanceof HookVerdict.Deny deny) {
            answer.put(decision, "deny");
            answer.put(reason, deny.reason());
        } else if (verdict instanceof HookVerdict.Report report) {
            answer.put(note, report.problem());
        } else if (verdict instanceof HookVerdict.Allow allow && !allow.notes().isEmpty()) {
            answer.put(note, String.join("\n", allow.notes()));
        }
        return answer.isEmpty() ? "" : JsonWriter.ascii(answer);
    }
}
