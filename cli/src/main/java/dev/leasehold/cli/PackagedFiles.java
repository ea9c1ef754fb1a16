package dev.leasehold.cli;

import dev.leasehold.cli.args.BashCompletion;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.FishCompletion;
import dev.leasehold.cli.args.ManPage;
import dev.leasehold.cli.args.ZshCompletion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the files that an installation has beside the program, where a system looks for them:
 * manual pages and completions. {@code packaging/tree} starts this.
 */
final class PackagedFiles {
    private PackagedFiles() {}

    /** @param args the directory, which corresponds to {@code /usr/share} */
    public static void main(String[] args) throws IOException {
        write(Path.of(args[0]));
    }

    static void write(Path share) throws IOException {
        List<CommandSpec> specs = Commands.specs();
        String version = "leasehold " + Version.read();
        Path pages = share.resolve("man/man1");
        page(pages, "leasehold", ManPage.overview(HelpCommand.ABOUT, specs, HelpCommand.FOOTER, version));
        for (CommandSpec spec : specs) {
            page(pages, ManPage.name(spec), ManPage.of(spec, version));
        }
        text(share.resolve("bash-completion/completions/leasehold"), BashCompletion.script(specs));
        text(share.resolve("zsh/site-functions/_leasehold"), ZshCompletion.script(specs));
        text(share.resolve("fish/vendor_completions.d/leasehold.fish"), FishCompletion.script(specs));
    }

    private static void page(Path directory, String name, String text) throws IOException {
        Files.createDirectories(directory);
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(directory.resolve(name + ".1.gz")))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void text(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
