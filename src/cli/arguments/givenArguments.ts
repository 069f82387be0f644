import { parseArgs } from 'node:util';
import { findClosestNames } from '#base/text/closestNames.ts';
import { CliFault } from '../cliFault.ts';
import type { CommandSpec, OptionSpec } from './commandSpec.ts';

/** The parsed command-line arguments of a command. */
export class GivenArguments {
	/** Positional arguments, in order. */
	readonly operands: readonly string[];
	readonly help: boolean;
	readonly #values: ReadonlyMap<string, readonly string[]>;

	/** Throws a {@link CliFault} for invalid arguments. */
	constructor(command: CommandSpec, args: readonly string[]) {
		const { operands, values } = parseTokens(command, args);
		this.operands = operands;
		this.#values = values;
		this.help = values.has('help');
		if (!this.help && operands.length < command.least) {
			throw new CliFault(`${command.name}: expected ${command.operands}. See agent-workbench ${command.name} --help.`);
		}
		if (!this.help && operands.length > command.most) {
			const takes = command.most === 0 ? 'no arguments' : `only ${command.operands}`;
			throw new CliFault(`${command.name}: unexpected argument '${operands[command.most]}'. Expected ${takes}.`);
		}
	}

	has(name: string): boolean {
		return this.#values.has(name);
	}

	/** Returns the value of an option. If the option was repeated, the last value counts. */
	getValue(name: string): string | undefined {
		return this.#values.get(name)?.at(-1);
	}

	getValues(name: string): readonly string[] {
		return this.#values.get(name) ?? [];
	}

	/** Returns the value of an option as a whole number of at least 1. Throws a {@link CliFault} for other values. */
	getCount(name: string): number | undefined {
		const text = this.getValue(name);
		if (text === undefined) {
			return undefined;
		}
		const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
		if (value < 1) {
			throw new CliFault(`--${name} ${text}: expected a whole number from 1 to 999999.`);
		}
		return value;
	}
}

function parseTokens(
	{ name: command, options }: CommandSpec,
	args: readonly string[],
): { operands: string[]; values: Map<string, string[]> } {
	const known: readonly OptionSpec[] = [...options, { name: 'help', help: '' }];
	const { tokens, positionals } = parseArgs({
		args: [...args],
		options: {
			...Object.fromEntries(
				known.map(option => [
					option.name,
					{ type: option.value === undefined || option.optional ? ('boolean' as const) : ('string' as const) },
				]),
			),
			help: { type: 'boolean', short: 'h' },
		},
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	const values = new Map<string, string[]>();
	for (const token of tokens) {
		if (token.kind !== 'option') {
			continue;
		}
		const option = known.find(({ name }) => name === token.name);
		if (!option) {
			throw new CliFault(
				`${command}: unknown option ${token.rawName}.${suggestName(
					token.name,
					known.map(each => each.name),
				)} See agent-workbench ${command} --help.`,
			);
		}
		if (option.value === undefined && token.value !== undefined) {
			throw new CliFault(`--${option.name}: expected no value.`);
		}
		// a token that starts with a dash is more likely the next option than a value
		if (
			option.value !== undefined &&
			!option.optional &&
			(token.value === undefined || (!token.inlineValue && token.value.startsWith('-')))
		) {
			throw new CliFault(
				`--${option.name}: expected ${option.value} after the option (use --${option.name}=${option.value} if it starts with a dash).`,
			);
		}
		values.set(option.name, [...(values.get(option.name) ?? []), token.value ?? '']);
	}
	return { operands: positionals, values };
}

/** Suggests the most similar name. Returns an empty string if none is similar. */
export function suggestName(name: string, names: readonly string[], prefix = '--'): string {
	const [best] = findClosestNames(name, names);
	return best === undefined ? '' : ` Did you mean ${prefix}${best}?`;
}
