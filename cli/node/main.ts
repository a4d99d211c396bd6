#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The command line program for those who have only Node: conv, dump, info and compare on the wasm core.
import { CoreError } from '../../wasm/convert.js';
import { Core } from '../../wasm/tonkopf.js';
import { describe } from '../../wasm/index.js';
import { tonkopfModule } from '../../wasm/node.js';
import { Stopped, checkOptions, compare, conv, dump, error, info } from './commands.js';
import { EXIT, checkRules } from './figures.js';
import { ClosedPipe, InputError, OutputError, print, removeScratch, statOf, tell } from './files.js';
import { UsageError, commandHelp, findCommand, overview, parse } from './options.js';
import type { Command, Settings } from './options.js';

const RUN: Record<string, (settings: Settings) => Promise<number>> = { conv, dump, info, compare };

async function showOverview(show: (text: string) => void = print): Promise<number> {
  const core = await Core.open(await tonkopfModule());
  show(overview(core.version, (await describe()).formats));
  return EXIT.fine;
}

function help(name: string): number {
  const command = findCommand(name);
  if (!command) throw new UsageError(`there is no command "${name}"; \`tonkopf help\` lists them`);
  print(commandHelp(command));
  return EXIT.fine;
}

async function runCommand(command: Command, args: string[]): Promise<number> {
  const settings = parse(command, args);
  if (settings.flags.has('help')) return help(command.name);
  if (command.name === 'help') return settings.inputs[0] ? help(settings.inputs[0]) : showOverview();
  await checkRules(settings, error);
  await checkOptions(settings);
  return RUN[command.name]!(settings);
}

async function dispatch(args: string[]): Promise<number> {
  const verbose = args.findIndex((word) => word !== '-v' && word !== '--verbose');
  const [first, ...rest] = args.slice(Math.max(verbose, 0));
  if (first === undefined || verbose < 0) {
    await showOverview(tell);
    return EXIT.usage;
  }
  if (first === '-h' || first === '--help') return showOverview();
  if (first === '-V' || first === '--version') {
    print(`tonkopf ${(await Core.open(await tonkopfModule())).version}\n`);
    return EXIT.fine;
  }
  const command = findCommand(first);
  if (!command && statOf(first)) throw new UsageError(`say what to do with it: \`tonkopf conv ${first}\``);
  if (!command)
    throw new UsageError(
      `there is no command "${first}" here; \`tonkopf help\` lists them, the native program has more`,
    );
  return runCommand(command, verbose > 0 ? ['-v', ...rest] : rest);
}

function exitCodeOf(problem: unknown): number {
  if (problem instanceof ClosedPipe) return EXIT.fine;
  error((problem as Error).message);
  if (problem instanceof Stopped) return problem.code;
  if (problem instanceof UsageError || (problem instanceof CoreError && problem.code === 'misuse')) return EXIT.usage;
  if (problem instanceof OutputError) return EXIT.output;
  if (problem instanceof InputError || problem instanceof CoreError) return EXIT.input;
  throw problem;
}

try {
  process.exitCode = await dispatch(process.argv.slice(2));
} catch (problem) {
  process.exitCode = exitCodeOf(problem);
} finally {
  removeScratch();
}
