#!/usr/bin/env node
import { describeWriteFailure } from '#base/files/writeFailure.ts';
import type { CommandSpec } from './arguments/commandSpec.ts';
import { GivenArguments, suggestName } from './arguments/givenArguments.ts';
import { formatCommandHelp, formatProgramHelp } from './arguments/helpText.ts';
import { commands } from './arguments/options.ts';
import { readPackageJson } from './assets.ts';
import { CliFault, type ExitCode, exitCodes, getExitCode, getWorstExitCode } from './cliFault.ts';
import { Interrupt } from './interrupt.ts';
import { printLine, toPlainLine } from './output.ts';

/** Entry point of `agent-workbench`. */
async function runProgram(args: readonly string[]): Promise<ExitCode | undefined> {
	checkNodeVersion();
	const [name, ...rest] = splitCommand(args);
	if (name === '--version') {
		process.stdout.write(`${readPackageJson<{ version: string }>('package.json').version}\n`);
		return exitCodes.passed;
	}
	if (name === undefined || isHelpRequested(name)) {
		(name === undefined ? process.stderr : process.stdout).write(formatProgramHelp());
		return name === undefined ? exitCodes.fault : exitCodes.passed;
	}
	if (commands.some(each => each.name.startsWith(`${name} `))) {
		const isAsked = rest.length > 0;
		(isAsked ? process.stdout : process.stderr).write(formatProgramHelp(name));
		return isAsked ? exitCodes.passed : exitCodes.fault;
	}
	const command = findCommand(name);
	const given = new GivenArguments(command, rest);
	if (given.help) {
		process.stdout.write(formatCommandHelp(command));
		return exitCodes.passed;
	}
	return runCommand(command, given);
}

/** Loads and runs a command. `serve` doesn't return a code, because the process becomes the gateway. */
async function runCommand({ name }: CommandSpec, given: GivenArguments): Promise<ExitCode | undefined> {
	if (name.startsWith('dify ')) {
		return (await import('./commands/dify/dify.ts')).runDify(name, given, new Interrupt(printLine));
	}
	if (name.startsWith('dataset ')) {
		return (await import('./commands/dataset/dataset.ts')).runDataset(name, given, new Interrupt(printLine));
	}
	switch (name) {
		case 'serve':
			await (await import('./commands/serve.ts')).runServe(given);
			return undefined;
		case 'check':
			return (await import('./commands/check.ts')).runCheck(given, new Interrupt(printLine));
		case 'run':
			return (await import('./commands/run.ts')).runAgent(given, new Interrupt(printLine));
		case 'trend':
			return (await import('./commands/trend.ts')).runTrend(given);
		case 'export':
			return (await import('./commands/exportSuite.ts')).runExport(given);
		case 'import':
			return (await import('./commands/importSuite.ts')).runImport(given);
		default:
			return (await import('./commands/test.ts')).runTests(given, new Interrupt(printLine));
	}
}

/**
 * Returns the arguments with the command's name first, joining the two words of a group (`dify pull`). `help COMMAND` becomes `COMMAND
 * --help`.
 */
function splitCommand(args: readonly string[]): readonly string[] {
	const [first, second, ...rest] = args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args;
	const isGroup = commands.some(({ name }) => name.startsWith(`${first} `)) && second !== undefined && !isHelpRequested(second);
	return [...(isGroup ? [`${first} ${second}`] : first === undefined ? [] : [first, ...(second === undefined ? [] : [second])]), ...rest];
}

function isHelpRequested(word: string): boolean {
	return ['help', '--help', '-h'].includes(word);
}

function findCommand(name: string): CommandSpec {
	const command = commands.find(each => each.name === name);
	if (!command) {
		const names = commands.map(each => each.name);
		throw new CliFault(`Unknown command ${name}.${suggestName(name, names, '')} Expected one of ${names.join(', ')}.`);
	}
	return command;
}

function checkNodeVersion(): void {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 22 || (major === 22 && minor < 19)) {
		throw new CliFault(`Node.js ${process.versions.node} is too old: expected 22.19 or newer.`);
	}
}

/** Returns a hint about options, for errors with the service's address or key. */
function getOptionHint(error: unknown, args: readonly string[]): string | undefined {
	const { reason } = (error instanceof CliFault ? (error.cause ?? {}) : error) as { readonly reason?: unknown };
	const isDify = args[2] === 'dify';
	if (!isDify && !args.some(arg => /^--base-url(=|$)/.test(arg))) {
		return undefined;
	}
	if (['network', 'tls', 'timeout', 'protocol'].includes(String(reason))) {
		return isDify ? 'The address comes from --origin or DIFY_SERVER.' : 'See --base-url and --kind.';
	}
	return reason === 'auth' && !isDify ? 'The key comes from AGENT_WORKBENCH_KEY, or the variable that --api-key-env names.' : undefined;
}

/** Exits once all output is written, because pipes accept output in chunks. */
function exitAfterOutput(ended: ExitCode): void {
	let code = ended;
	if (lost !== undefined) {
		printLine(`Couldn't write to standard output: ${describeWriteFailure(lost)}.`);
		code = getWorstExitCode([code, exitCodes.fault]);
	}
	process.exitCode = code;
	process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

// users can't act on Node's warnings about experimental features
process.removeAllListeners('warning');
process.on('warning', warning => {
	if (warning.name !== 'ExperimentalWarning') {
		printLine(`${warning.name}: ${warning.message}`);
	}
});
/** Write error of standard output. Ignores the error when a reader like `head` closes early. */
let lost: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') {
		lost ??= error;
	}
});
process.stderr.on('error', () => {});
runProgram(process.argv.slice(2)).then(
	code => code !== undefined && exitAfterOutput(code),
	(error: unknown) => {
		const isExpected = error instanceof Error && ['CliFault', 'ServiceError', 'SyncFault', 'Problem'].includes(error.name);
		printLine(
			isExpected
				? toPlainLine([error.message, getOptionHint(error, process.argv)].filter(Boolean).join(' '))
				: `The command failed: ${error instanceof Error ? error.stack : String(error)}`,
		);
		exitAfterOutput(getExitCode(error));
	},
);
