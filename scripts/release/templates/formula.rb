class ToolMappingProtocol < Formula
  desc "{{.Description}}"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"
{{$base := printf "%s/tmp-%s" .Base .Version}}{{with index .Sums "darwin_arm64"}}
  on_macos do
    on_arm do
      url "{{$base}}-darwin-arm64.tar.gz"
      sha256 "{{.}}"
    end
  end
{{end}}{{with index .Sums "darwin_amd64"}}
  on_macos do
    on_intel do
      url "{{$base}}-darwin-amd64.tar.gz"
      sha256 "{{.}}"
    end
  end
{{end}}{{with index .Sums "linux_arm64"}}
  on_linux do
    on_arm do
      url "{{$base}}-linux-arm64.tar.gz"
      sha256 "{{.}}"
    end
  end
{{end}}{{with index .Sums "linux_amd64"}}
  on_linux do
    on_intel do
      url "{{$base}}-linux-amd64.tar.gz"
      sha256 "{{.}}"
    end
  end
{{end}}
  def install
    bin.install Dir["bin/*"]
    share.install Dir["share/*"]
  end

  def caveats
    <<~EOS
      Compile the map of what is installed here, and load the hook of your shell:
        tmp db build
        echo 'eval "$(tmp hook bash)"' >> ~/.bashrc
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tmp version")
  end
end
