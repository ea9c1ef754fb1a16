package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A tab of the browser: what a person sees, types and presses. */
final class BrowserTab implements AutoCloseable {
    private static final Map<String, Integer> KEYS = Map.of(
            "Tab",
            9,
            "Enter",
            13,
            "Escape",
            27,
            "ArrowDown",
            40,
            "ArrowUp",
            38,
            "ArrowLeft",
            37,
            "End",
            35,
            "Home",
            36);

    private final Chromium browser;
    private final String session;
    private final String context;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    BrowserTab(Chromium browser, String session, String context) {
        this.browser = browser;
        this.session = session;
        this.context = context;
    }

    void prepare() {
        for (String domain : List.of("Page", "Runtime", "Log", "Network", "Audits")) {
            call(domain + ".enable", Map.of());
        }
        // Whatever the language of the machine.
        call("Emulation.setLocaleOverride", Map.of("locale", "en-GB"));
        size(1280, 800);
    }

    /** Exceptions, errors on the console, and violations of the policy. */
    void heard(JsonNode message) {
        JsonNode parameters = message.path("params");
        switch (message.path("method").asString()) {
            case "Runtime.exceptionThrown" -> complaints.add("exception " + parameters.path("exceptionDetails"));
            case "Log.entryAdded" -> {
                JsonNode entry = parameters.path("entry");
                // A refused call is the server's answer, and no defect of the page.
                if (entry.path("level").asString().equals("error")
                        && !entry.path("source").asString().equals("network")) {
                    complaints.add("log " + entry);
                }
            }
            case "Audits.issueAdded" -> {
                String code = parameters.at("/issue/code").asString();
                if (code.equals("ContentSecurityPolicyIssue")) {
                    complaints.add("policy " + parameters);
                }
            }
            case "Network.requestWillBeSent" ->
                requests.add(parameters.at("/request/url").asString());
            default -> {}
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return browser.send(session, method, parameters);
    }

    List<String> complaints() {
        return complaints;
    }

    List<String> requests() {
        return requests;
    }

    void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 700));
    }

    void dark(boolean dark) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Goes to an address. From one view to another, nothing is loaded. */
    void open(String url) {
        call("Page.navigate", Map.of("url", url));
    }

    /** The value of an expression. */
    JsonNode eval(String expression) {
        JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        assertThat(answer.path("exceptionDetails").isMissingNode())
                .as(expression + ": " + answer)
                .isTrue();
        return answer.at("/result/value");
    }

    String text(String selector) {
        return eval("[...document.querySelectorAll('" + selector + "')].map(e => e.textContent).join('|')")
                .asString();
    }

    /** Waits until an expression is true. A machine may be very busy. */
    void await(String expression) {
        for (int i = 0; i < 600; i++) {
            JsonNode answer = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
            if (answer.at("/result/value").asBoolean(false)) {
                return;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError(expression + " did not become true; the page says:\n"
                + eval("document.body.innerText").asString() + "\n" + complaints);
    }

    void awaitText(String selector, String text) {
        await("[...document.querySelectorAll('" + selector + "')].some(e => e.textContent.includes('" + text + "'))");
    }

    /** Presses a key, as a keyboard does. */
    void press(String key) {
        int code = KEYS.getOrDefault(key, (int) key.charAt(0));
        String text = key.equals("Enter") ? "\r" : key.length() == 1 ? key : "";
        for (String type : List.of("keyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type",
                            type,
                            "key",
                            key,
                            "code",
                            key,
                            "windowsVirtualKeyCode",
                            code,
                            "text",
                            type.equals("keyDown") ? text : ""));
        }
    }

    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Presses Tab until this has the focus. */
    void tabTo(String selector) {
        for (int i = 0; i < 80; i++) {
            if (eval("document.activeElement.matches('" + selector + "')").asBoolean()) {
                return;
            }
            press("Tab");
        }
        throw new AssertionError("the keyboard does not reach " + selector);
    }

    byte[] screenshot() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", Map.of("format", "png"))
                        .path("data")
                        .asString());
    }

    /** Its connections end too: otherwise a server waits for them when it stops. */
    @Override
    public void close() {
        browser.send(null, "Target.disposeBrowserContext", Map.of("browserContextId", context));
    }
}
