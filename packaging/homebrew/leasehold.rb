# The formula for a tap. It is not published yet. The release workflow replaces VERSION and SHA256, with the script beside this file.
class Leasehold < Formula
  desc "Leases with fencing tokens: one run at a time, and no late write"
  homepage "https://leasehold.dev"
  url "https://github.com/leasehold/leasehold/releases/download/vVERSION/leasehold-VERSION.tar.gz"
  sha256 "SHA256"
  license "Apache-2.0"

  depends_on "openjdk"

  def install
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/leasehold"
    zsh_completion.install "share/zsh/site-functions/_leasehold"
    fish_completion.install "share/fish/vendor_completions.d/leasehold.fish"
    libexec.install "leasehold", "lib", "licenses", "LICENSE", "NOTICE"
    (bin/"leasehold").write_env_script libexec/"leasehold", LEASEHOLD_JAVA_HOME: Formula["openjdk"].opt_prefix
  end

  test do
    ENV["LEASEHOLD_STORE"] = "file:#{testpath}/leases"
    system bin/"leasehold", "store", "init"
    assert_equal "ran", shell_output("#{bin}/leasehold run brew -- echo ran").strip
  end
end
