import { cutText } from '#base/text/cutText.ts';
import type { ImportTarget } from '../importedSuite.ts';
import { type ForeignPlace, findLocalValue, getFileReference, type ImportReading, mostCases } from '../importReading.ts';
import { NameList } from '../uniqueNames.ts';
import { type MappedCheck, mapAssertion } from './mapAssertion.ts';
import type { ImportedTest } from './readTests.ts';
import { formatVariable, getVariable, renderTemplate, UnknownTemplate } from './renderTemplate.ts';

type Variables = Readonly<Record<string, unknown>>;

interface CaseListOptions {
	/** Names of variables that the prompts use. */
	readonly names: ReadonlySet<string>;
	/** What all tests have. */
	readonly defaults: ImportedTest;
	readonly target: ImportTarget;
	readonly reading: ImportReading;
}

/** The test cases of a suite, made from the tests of a configuration. */
export class CaseList {
	readonly list: Readonly<Record<string, unknown>>[] = [];
	readonly #options: CaseListOptions;
	readonly #names = new NameList();
	#tests = 0;

	constructor(options: CaseListOptions) {
		this.#options = options;
	}

	/**
	 * Adds a test case for each combination of values of a test's variables. Returns false if a limit is reached, so that further tests aren't
	 * imported.
	 */
	async addTest(test: ImportedTest): Promise<boolean> {
		const { defaults, reading } = this.#options;
		const name = test.description ?? `test ${++this.#tests}`;
		const variables = await this.#readVariables({ ...defaults.variables, ...test.variables }, test.place);
		const assertions = [...defaults.assertions, ...test.assertions];
		for (const combination of variables ? combineValues(variables) : []) {
			const rendered = this.#renderVariables(combination, test.place);
			const checks = rendered ? await this.#mapAssertions(assertions, rendered) : [];
			const inputs = rendered ? this.#createInputs(rendered) : {};
			const each = { name: cutText(name, 200), inputs, ...(checks.length > 0 && { expect: checks }) };
			// an assertion takes time even if it isn't mapped, and a variable even if no prompt uses it
			const work = (rendered ? 200 : 2000) * (1 + assertions.length) + 20 * Object.keys(combination).length;
			if (!reading.spend(work + JSON.stringify(each).length) || this.list.length >= mostCases) {
				reading.report(
					test.place,
					reading.t('No more tests are imported. Maximum number of test cases: {0}. Their size is limited too.', mostCases),
				);
				return false;
			}
			const local = findLocalValue(inputs);
			if (local !== undefined) {
				reading.report(test.place, reading.t("The test isn't imported. A suite would replace '{0}' by a value of this machine.", local));
			} else if (rendered) {
				this.list.push({ ...each, name: this.#names.createName(each.name) });
			}
		}
		return true;
	}

	/** Reads the files that variables name. Returns `undefined` if one can't be read, because the test would be another one. */
	async #readVariables(variables: Variables, place: ForeignPlace): Promise<Variables | undefined> {
		const { reading } = this.#options;
		const read: [string, unknown][] = [];
		for (const [name, value] of Object.entries(variables)) {
			const reference = getFileReference(value);
			const at = place.at('vars', name);
			if (reference === undefined) {
				// promptfoo removes the line end of YAML's block texts
				read.push([name, typeof value === 'string' ? value.replace(/\n$/, '') : value]);
			} else if (/\.ya?ml$/i.test(reference)) {
				const content = await reading.readYaml(reference, at);
				read.push(...(content ? [[name, JSON.stringify(content.value)] as [string, unknown]] : []));
			} else {
				const text = await reading.readText(reference, at);
				read.push(...(text === undefined ? [] : [[name, text.trim()] as [string, unknown]]));
			}
		}
		return read.length === Object.keys(variables).length ? Object.fromEntries(read) : undefined;
	}

	/** Fills in the variables that variables use. Lists the test and returns `undefined` if they use more. */
	#renderVariables(variables: Variables, place: ForeignPlace): Variables | undefined {
		const { reading } = this.#options;
		try {
			return Object.fromEntries(
				Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? renderTemplate(value, variables) : value]),
			);
		} catch (error) {
			if (!(error instanceof UnknownTemplate)) {
				throw error;
			}
			reading.report(place, reading.t("The test isn't imported. It uses more than variables: {0}", error.part));
			return undefined;
		}
	}

	async #mapAssertions(assertions: ImportedTest['assertions'], variables: Variables): Promise<readonly MappedCheck[]> {
		const { target, reading } = this.#options;
		const context = { reading, variables, output: target.output, json: target.agent === undefined ? 'json' : undefined };
		const checks: MappedCheck[] = [];
		for (const { value, place } of assertions) {
			checks.push(...(await mapAssertion(value, place, context)));
		}
		return checks;
	}

	/** Returns the inputs: for an agent all variables, for a request the texts that its templates use. */
	#createInputs(variables: Variables): Variables {
		const { names, target } = this.#options;
		return target.agent === undefined
			? Object.fromEntries([...names].map(name => [name, formatVariable(getVariable(name, variables))]))
			: variables;
	}
}

/** Combines the values of variables that are lists of texts. Yields on demand, because there can be very many. */
function* combineValues(variables: Variables): Generator<Variables, void> {
	const lists = Object.entries(variables).filter(([, value]) => Array.isArray(value) && typeof value[0] === 'string') as [
		string,
		unknown[],
	][];
	const total = lists.reduce((product, [, { length }]) => product * length, 1);
	for (let number = 0; number < total; number++) {
		// the first variable changes slowest
		let left = number;
		const chosen = lists.toReversed().map(([name, values]) => {
			const value = values[left % values.length];
			left = Math.floor(left / values.length);
			return [name, value] as const;
		});
		yield { ...variables, ...Object.fromEntries(chosen) };
	}
}
