import type { CommandSpec, OptionSpec } from './commandSpec.ts';
import { commands } from './options.ts';

const groupSummaries: Readonly<Record<string, string>> = {
	dify: 'Works with the apps of a Dify server.',
	dataset: 'Makes rows for the dataset of a suite. They are shown first, and written with --out.',
};

/** Formats the help of `agent-workbench`, or of a `group` of commands (`dify`, `dataset`). */
export function formatProgramHelp(group?: string): string {
	const listed = commands.filter(({ name }) => group === undefined || name.startsWith(`${group} `));
	const width = Math.max(...listed.map(({ name }) => name.length));
	const lines = listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
	return `Usage: agent-workbench ${group === undefined ? '' : `${group} `}COMMAND [OPTIONS]

${group === undefined ? 'Runs, checks and tests AI agents without an editor.' : groupSummaries[group]}

${lines.join('\n')}

agent-workbench ${group === undefined ? '' : `${group} `}COMMAND --help shows the options of each${group === undefined ? '; --version prints the version' : ''}.
`;
}

/** Formats the help of a command. */
export function formatCommandHelp({ name, operands, summary, options, notes }: CommandSpec): string {
	const help: OptionSpec = { name: 'help', help: 'show this help' };
	const heads = [...options, help].map(option => `--${option.name}${formatValue(option)}`);
	const width = Math.max(...heads.map(head => head.length));
	const lines = [...options, help].map(
		(option, at) => `  ${heads[at]!.padEnd(width)}  ${option.help}${option.multiple ? '; can be repeated' : ''}`,
	);
	return `Usage: agent-workbench ${name}${operands === '' ? '' : ` ${operands}`} [OPTIONS]

${summary[0]!.toUpperCase()}${summary.slice(1)}.

${lines.join('\n')}

${notes}`;
}

function formatValue({ value, optional }: OptionSpec): string {
	if (value === undefined) {
		return '';
	}
	return optional ? `[=${value}]` : ` ${value}`;
}
