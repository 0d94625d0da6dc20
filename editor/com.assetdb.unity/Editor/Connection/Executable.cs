using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Text;

namespace AssetDb.Connection
{
    /// <summary>What a command of assetdb printed, and its exit code.</summary>
    public sealed class CommandResult
    {
        public CommandResult(int code, string output, string errors)
        {
            Code = code;
            Output = output;
            Errors = errors;
        }

        public int Code { get; }

        public string Output { get; }

        public string Errors { get; }
    }

    /// <summary>The <c>assetdb</c> of this user: finding it, and running its commands without a shell.</summary>
    public sealed class Executable
    {
        private const int MostOutput = 4 << 20; // characters
        private const string Name = "assetdb";

        private Executable(string path)
        {
            Path = path;
        }

        public string Path { get; }

        /// <summary>
        /// Return what is configured; else what is found on PATH or in <c>~/.local/bin</c>, where pipx and uv put it and
        /// which an editor that was started from a dock does not have on its PATH.
        /// </summary>
        /// <remarks>
        /// Folders that are not absolute are skipped: the working directory is the project's, and a project must not
        /// bring the program that is run.
        /// </remarks>
        /// <exception cref="DaemonException">There is none.</exception>
        public static Executable Find(string configured, string searched, string home)
        {
            if (configured.Length > 0)
            {
                if (!System.IO.Path.IsPathRooted(configured) || !File.Exists(configured))
                {
                    throw new DaemonException($"{configured} is not the absolute path of a file: set the path of assetdb in Project Settings > assetdb");
                }
                return new Executable(configured);
            }
            bool isWindows = System.IO.Path.DirectorySeparatorChar == '\\';
            var folders = new List<string>(searched.Split(System.IO.Path.PathSeparator));
            folders.Add(System.IO.Path.Combine(System.IO.Path.Combine(home, ".local"), "bin"));
            foreach (string folder in folders)
            {
                string plain = folder.Trim().Trim('"');
                if (plain.Length == 0 || plain.IndexOfAny(System.IO.Path.GetInvalidPathChars()) >= 0
                    || !System.IO.Path.IsPathRooted(plain))
                {
                    continue;
                }
                string candidate = System.IO.Path.Combine(plain, isWindows ? Name + ".exe" : Name);
                if (File.Exists(candidate))
                {
                    return new Executable(candidate);
                }
            }
            throw new DaemonException("no assetdb on PATH: install it, or set its path in Project Settings > assetdb");
        }

        /// <summary>Run a command and wait for its end; not on the main thread.</summary>
        /// <param name="folder">Working directory.</param>
        /// <param name="timeout">Milliseconds after which it is ended.</param>
        /// <param name="words">The words behind <c>assetdb</c>: only such as need no quoting on any system.</param>
        /// <exception cref="DaemonException">It cannot be run, or takes too long.</exception>
        public CommandResult Run(string folder, int timeout, params string[] words)
        {
            foreach (string word in words)
            {
                if (!IsPlain(word))
                {
                    throw new ArgumentException($"this word would have to be quoted: {word}", nameof(words));
                }
            }
            var start = new ProcessStartInfo(Path, string.Join(" ", words))
            {
                WorkingDirectory = folder,
                UseShellExecute = false,
                CreateNoWindow = true,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                StandardOutputEncoding = Encoding.UTF8,
                StandardErrorEncoding = Encoding.UTF8,
            };
            var output = new StringBuilder();
            var errors = new StringBuilder();
            try
            {
                using (Process process = Process.Start(start))
                {
                    process.StandardInput.Close();
                    process.OutputDataReceived += (sender, received) => Collect(output, received.Data);
                    process.ErrorDataReceived += (sender, received) => Collect(errors, received.Data);
                    process.BeginOutputReadLine();
                    process.BeginErrorReadLine();
                    if (!process.WaitForExit(timeout))
                    {
                        process.Kill();
                        throw new DaemonException($"{Path} {words[0]} took longer than {timeout / 1000} s");
                    }
                    process.WaitForExit(); // until the last lines are collected
                    lock (output)
                    {
                        lock (errors)
                        {
                            return new CommandResult(process.ExitCode, output.ToString(), errors.ToString());
                        }
                    }
                }
            }
            catch (Exception error) when (error is Win32Exception || error is InvalidOperationException || error is IOException)
            {
                throw new DaemonException($"{Path} cannot be run: {error.Message}", error);
            }
        }

        private static void Collect(StringBuilder into, string line)
        {
            lock (into)
            {
                if (line != null && into.Length + line.Length < MostOutput)
                {
                    into.Append(line).Append('\n');
                }
            }
        }

        private static bool IsPlain(string word)
        {
            foreach (char letter in word)
            {
                bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
                    || (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == ':';
                if (!isPlain)
                {
                    return false;
                }
            }
            return word.Length > 0;
        }
    }
}
