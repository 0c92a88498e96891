class Pifetch < Formula
  desc "Turn URLs into files and a digest for coding agents"
  version "1.2.0"
  license "MIT"

  on_macos do
    on_arm do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-darwin-arm64.tar.gz"
      sha256 "c77b9c1e42aa4aefd24556e55b8af8605afcb4a4905e66b4838a02b8686d4448"
    end
    on_intel do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-darwin-amd64.tar.gz"
      sha256 "4fbbb08ce4807ff7d6e8b576a01706bde242f1bdb78943490791520af1df263a"
    end
  end

  on_linux do
    on_arm do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-linux-arm64.tar.gz"
      sha256 "1075987f97a5541aaaba26ca340b4536753a5862cb0b78903d688b9aef0d90e0"
    end
    on_intel do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-linux-amd64.tar.gz"
      sha256 "261e452812a39ec36d25b280c11975238f114456783a0a5f959248a07ac4ad53"
    end
  end

  def install
    bin.install Dir["bin/*"]
    share.install Dir["share/*"]
    doc.install "README.md", "CHANGELOG.md", "NOTICE", "docs", "licenses"
  end

  def caveats
    "Pages are opened in Google Chrome or Chromium, which pifetch does not bring: pifetchctl doctor says whether one is found."
  end

  test do
    assert_equal "pifetchctl #{version}", shell_output("#{bin}/pifetchctl version").strip.sub(" v", " ")
  end
end
