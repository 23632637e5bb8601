# frozen_string_literal: true

# Loads the libraries that programs often use once, for all runs.
%w[
  json stringio strscan date time securerandom digest digest/sha2 digest/md5 pp set erb optparse forwardable
  delegate singleton tempfile tmpdir fileutils pathname shellwords tsort weakref English open3
  timeout monitor uri find yaml zlib csv ostruct logger bigdecimal benchmark base64
].each { |name| require name }
