package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What another program prints is hostile: it may hold anything, and have no end. */
class JobLinesTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter = new LineSplitter() {
        @Override
        protected void line(byte[] from, int start, int end) {
            PrintableBytes shown = new PrintableBytes();
            shown.addVisibly(from, start, end);
            lines.add(new String(shown.array(), 0, shown.length(), StandardCharsets.UTF_8));
        }

        @Override
        protected void wrote() {}
    };

    private void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        splitter.write(bytes, 0, bytes.length);
    }

    @Test
    void aTerminalObeysNothingOfIt() {
        print("\u001b[2Jcleared\u0007 \u009b31m \u202egnp.exe tab\there gr\u00fc\u00dfe \u2713 \ud83d\ude00\u007f\n");
        splitter.write(new byte[] {'a', (byte) 0xff, (byte) 0xc2, '\n', (byte) 0xe2, (byte) 0x9c, '\n'}, 0, 7);

        assertThat(lines)
                .containsExactly(
                        "\\x1b[2Jcleared\\x07 \\u009b31m \\u202egnp.exe tab\there gr\u00fc\u00dfe \u2713 \ud83d\ude00\\x7f",
                        "a\\xff\\xc2",
                        "\\xe2\\x9c");
    }

    @Test
    void linesEndAsTheyDoOnAnySystem() {
        print("one\r\ntwo\rthree\n\nfive\r");
        print("\nsix");
        print(" and more");
        splitter.finish();
        splitter.finish();

        assertThat(lines).containsExactly("one", "two", "three", "", "five", "six and more");
    }

    @Test
    void aLineWithoutAnEndNeedsNoMemory() {
        String chunk = "x".repeat(50_000);
        for (int i = 0; i < 10; i++) {
            print(chunk);
        }
        splitter.finish();

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(LineSplitter.MAX_LINE));
        assertThat(String.join("", lines)).hasSize(500_000);

        lines.clear();
        print("y".repeat(LineSplitter.MAX_LINE) + "\n");
        print("z".repeat(LineSplitter.MAX_LINE));
        print("\n");
        assertThat(lines).as("a line that just fits is one line").hasSize(2);
    }

    @Test
    void onlyTheLastLinesAreKept() {
        OutputTail tail = new OutputTail();
        assertThat(tail.lines()).isEmpty();
        for (int i = 0; i < 100_000; i++) {
            byte[] line = ("line " + i + "\n").getBytes(StandardCharsets.UTF_8);
            tail.add(line, 0, line.length);
        }
        assertThat(tail.lines()).hasSize(20).startsWith("line 99980").endsWith("line 99999");

        byte[] flood = new byte[1_000_000];
        Arrays.fill(flood, (byte) 'y');
        tail.add(flood, 0, flood.length);
        assertThat(tail.lines()).singleElement().asString().hasSize(4096);
    }
}
