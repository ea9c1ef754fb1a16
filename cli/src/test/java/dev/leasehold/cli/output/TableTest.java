package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
    private static Table table(int width) {
        return new Table("NAME", "STATE", "HOLDER")
                .fit(width, 0, 2)
                .row("nightly/reports/europe/berlin", "held", "web-server-17-12345-abcdef")
                .row("b", "released", "me");
    }

    @Test
    void longCellsAreCutInTheMiddleUntilALineFits() {
        assertThat(table(50).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(50))
                .anySatisfy(line -> assertThat(line).startsWith("nightly/...e/berlin  held      web-serv...5-abcdef"))
                .contains("b                    released  me");
    }

    @Test
    void nothingIsCutWithoutALimitOrBeyondWhatIsReadable() {
        assertThat(table(0).lines()).anySatisfy(line -> assertThat(line)
                .isEqualTo("nightly/reports/europe/berlin  held      web-server-17-12345-abcdef"));
        assertThat(table(5).lines()).anySatisfy(line -> assertThat(line).isEqualTo("nig...in  held      web...ef"));
    }

    @Test
    void theSizeOfATerminalIsReadFromTheShellOrTheTerminal() {
        assertThat(Terminal.parse("24 80\n", Terminal.Size.UNKNOWN)).isEqualTo(new Terminal.Size(80, 24));
        assertThat(Terminal.parse("24 80\n", new Terminal.Size(120, 0))).isEqualTo(new Terminal.Size(120, 24));
        assertThat(Terminal.parse("stty: not a terminal", Terminal.Size.UNKNOWN))
                .isEqualTo(Terminal.Size.UNKNOWN);
        assertThat(Terminal.parse("-1 99999999", Terminal.Size.UNKNOWN)).isEqualTo(Terminal.Size.UNKNOWN);
        assertThat(Terminal.parse("", Terminal.Size.UNKNOWN)).isEqualTo(Terminal.Size.UNKNOWN);
    }
}
