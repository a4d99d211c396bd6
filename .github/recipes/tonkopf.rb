# SPDX-License-Identifier: MIT
# Homebrew; scripts/release.mjs fills in version and sums.
class Tonkopf < Formula
  desc "Turns recordings of microcontrollers into Perfetto traces"
  homepage "https://github.com/tonkopf/tonkopf"
  version "@VERSION@"
  license "MIT"

  on_macos do
    url "https://github.com/tonkopf/tonkopf/releases/download/v@VERSION@/tonkopf-macos-universal.tar.gz"
    sha256 "@SHA256:tonkopf-macos-universal.tar.gz@"
  end
  on_linux do
    on_intel do
      url "https://github.com/tonkopf/tonkopf/releases/download/v@VERSION@/tonkopf-linux-x86_64.tar.gz"
      sha256 "@SHA256:tonkopf-linux-x86_64.tar.gz@"
    end
    on_arm do
      url "https://github.com/tonkopf/tonkopf/releases/download/v@VERSION@/tonkopf-linux-aarch64.tar.gz"
      sha256 "@SHA256:tonkopf-linux-aarch64.tar.gz@"
    end
  end

  def install
    bin.install "bin/tonkopf"
    lib.install Dir["lib/*"]
    include.install "include/tonkopf.h"
    prefix.install "THIRD-PARTY-NOTICES.txt"
    generate_completions_from_executable(bin/"tonkopf", "completion")
    (man1/"tonkopf.1").write Utils.safe_popen_read(bin/"tonkopf", "man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tonkopf --version")
  end
end
