package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ApiPageTest {
    private static final Path PAGE = SourceTree.ROOT.resolve("docs/api.md");

    @Test
    void thePageListsEveryExportedType() throws IOException {
        String text = ApiPage.text();
        if (Boolean.getBoolean("leasehold.api.write")) {
            Files.writeString(PAGE, text);
        }
        assertThat(Files.readString(PAGE))
                .as("docs/api.md; regenerate it with -Dleasehold.api.write=true")
                .isEqualTo(text);
    }

    @Test
    void everyExportedTypeHasJavadoc() throws IOException {
        assertThat(ApiPage.text()).contains("`Leases`").doesNotContain("(has no Javadoc)");
    }
}
