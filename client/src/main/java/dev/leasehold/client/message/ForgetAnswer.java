package dev.leasehold.client.message;

import dev.leasehold.model.Forgetting;
import java.util.List;
import java.util.Locale;

/** One outcome for each name of a {@link ForgetCall}, in its order: {@code forgotten}, {@code absent} or {@code kept}. */
public record ForgetAnswer(@Required List<String> outcomes) {
    public static ForgetAnswer of(List<Forgetting> answers) {
        return new ForgetAnswer(answers.stream()
                .map(answer -> answer.name().toLowerCase(Locale.ROOT))
                .toList());
    }

    /** @throws IllegalArgumentException if an outcome is unknown */
    public List<Forgetting> toForgettings() {
        return outcomes.stream()
                .map(outcome -> Forgetting.valueOf(outcome.toUpperCase(Locale.ROOT)))
                .toList();
    }
}
