import { type CommandSpec, commands, type OptionSpec } from './options.ts';

/** What `agent-workbench --help` says. */
export function programHelp(): string {
	const width = Math.max(...commands.map(({ name }) => name.length));
	const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)} ${summary}`);
	return `Usage: agent-workbench COMMAND [OPTIONS]

Runs, checks and tests AI agents without an editor.

${lines.join('\n')}

agent-workbench COMMAND --help has the options of each; --version prints the version.
`;
}

/** What `agent-workbench COMMAND --help` says. */
export function commandHelp({ name, operands, summary, options, notes }: CommandSpec): string {
	const help: OptionSpec = { name: 'help', help: 'show this' };
	const heads = [...options, help].map(option => `--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`);
	const width = Math.max(...heads.map(head => head.length));
	const lines = [...options, help].map(
		(option, at) => `  ${heads[at]!.padEnd(width)}  ${option.help}${option.multiple ? '; may be given several times' : ''}`,
	);
	return `Usage: agent-workbench ${name}${operands === '' ? '' : ` ${operands}`} [OPTIONS]

${summary[0]!.toUpperCase()}${summary.slice(1)}.

${lines.join('\n')}

${notes}`;
}
