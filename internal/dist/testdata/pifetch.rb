class Pifetch < Formula
  desc "Turn URLs into files and a digest for coding agents"
  version "1.2.0"
  license "MIT"

  on_macos do
    on_arm do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-darwin-arm64.tar.gz"
      sha256 "8ea551b940c73cc1fd876d4925ef2331572bc9dd362c1e32fca5e5259cf2b2bd"
    end
    on_intel do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-darwin-amd64.tar.gz"
      sha256 "036dbd38af95723662bb9995de8e4572ef31d513df885a326e4909fcd2c5cee9"
    end
  end

  on_linux do
    on_arm do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-linux-arm64.tar.gz"
      sha256 "268a4276a518db61d673aff5cef6be474e326d51ab2656814a2ec3017d69e0ff"
    end
    on_intel do
      url "https://releases.example/v1.2.0/pifetch-v1.2.0-linux-amd64.tar.gz"
      sha256 "abbb2548f4b53694b00a9be141d8d4ac18638536836b01a8880f480a4587c4b5"
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
