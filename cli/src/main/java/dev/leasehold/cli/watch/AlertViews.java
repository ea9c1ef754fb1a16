package dev.leasehold.cli.watch;

import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.Alert;

/** An alert as text and as JSON. */
final class AlertViews {
    private AlertViews() {}

    static String line(Alert alert) {
        String token = alert.token() == null ? "" : " token " + alert.token();
        String holder = alert.holder() == null ? "" : ", " + alert.holder();
        return alert.kind().word() + " " + alert.name() + token + SafeText.escape(holder + ": " + alert.detail());
    }

    static Json json(Alert alert) {
        Json json = new Json()
                .put("alert", alert.kind().word())
                .put("id", alert.id())
                .put("at", alert.at())
                .put("name", alert.name());
        if (alert.token() != null) {
            json.put("token", alert.token().value());
        }
        return json.put("holder", alert.holder()).put("slot", alert.slot()).put("detail", alert.detail());
    }
}
