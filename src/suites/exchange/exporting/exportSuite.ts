import { listStrings } from '#base/records/listStrings.ts';
import { cutText } from '#base/text/cutText.ts';
import { fillTemplate, MissingColumn } from '../../datasets/templates.ts';
import type { ChatEndpoint, Suite } from '../../suite.ts';
import { type ExportedCase, type NotExported, readExportedCases } from './exportedCases.ts';
import { mapCheck } from './mapCheck.ts';

/** Formats that suites are exported to. */
export const exportFormats = ['promptfoo', 'inspect', 'jsonl'] as const;
export type SuiteFormat = (typeof exportFormats)[number];

/** A suite as the file of another tool. */
interface ExportedSuite {
	readonly text: string;
	readonly cases: number;
	readonly notExported: readonly NotExported[];
}

const providers: Readonly<Record<ChatEndpoint, string>> = {
	messages: 'anthropic:messages:',
	completions: 'openai:completion:',
	content: 'google:',
};
/** Fields of a request that aren't parameters of its model. */
const promptFields = ['messages', 'system', 'prompt', 'contents'];

/**
 * Exports the cases of a suite. The text is JSON, which YAML contains. Rejects with a `DatasetError` if the dataset can't be read.
 *
 * @param output the output of an agent that is checked
 */
export async function exportSuite(suite: Suite, format: SuiteFormat, output: string): Promise<ExportedSuite> {
	const { cases, notExported: left } = await readExportedCases(suite);
	const notExported = [...left];
	const all = cases.map(each => {
		const checks = each.checks.map(check => (format === 'promptfoo' ? mapCheck(check, output) : mapExpected(check, output)));
		for (const [at, check] of each.checks.entries()) {
			if (checks[at] === undefined) {
				notExported.push({ place: check.place, message: `A check of '${each.name}' isn't exported: ${check.kind}.` });
			}
		}
		return { each, checks: checks.filter(check => check !== undefined) };
	});
	const tests = format === 'promptfoo' ? listLiteralTests(all, notExported) : all;
	if (format === 'promptfoo' && suite.target?.kind === 'agent') {
		const place = cases[0]?.place ?? { file: suite.file, offset: 0, length: 0, line: 1, column: 1 };
		notExported.push({
			place,
			message: `The agent '${suite.target.model}' isn't exported. Replace the provider 'echo' by one that calls it.`,
		});
	}
	const text =
		format === 'promptfoo'
			? `${JSON.stringify(createConfiguration(suite, tests), undefined, 2)}\n`
			: format === 'inspect'
				? `${JSON.stringify(createLog(suite, tests), undefined, 2)}\n`
				: tests.map(({ each, checks }) => `${JSON.stringify(createRow(each, checks))}\n`).join('');
	return { text, cases: tests.length, notExported };
}

interface Test {
	readonly each: ExportedCase;
	/** Mapped checks: assertions, or expected outputs by name. */
	readonly checks: readonly Readonly<Record<string, unknown>>[];
}

/** Matches text that promptfoo would evaluate or replace: templates, paths of files that may be code, and environment variables. */
const evaluated = /\{[{%#]|^\s*(?:file|package|exec|python):/i;

/** Returns the tests that promptfoo takes as they are. The others are listed: a row may quote a stranger, who must not choose files to run. */
function listLiteralTests(tests: readonly Test[], notExported: NotExported[]): readonly Test[] {
	return tests.filter(({ each: { name, place, inputs, query }, checks }) => {
		const found = listStrings([inputs, query, checks.map(({ type: _, ...fields }) => fields)]).find(text => evaluated.test(text));
		if (found !== undefined) {
			const shown = JSON.stringify(cutText(found, 40));
			notExported.push({
				place,
				message: `'${name}' isn't exported, because promptfoo would evaluate ${shown} instead of using it as text.`,
			});
		}
		return found === undefined;
	});
}

function createConfiguration({ name, target }: Suite, tests: readonly Test[]): object {
	const variables = new Set(tests.flatMap(({ each }) => (each.query === undefined ? Object.keys(each.inputs) : ['query'])));
	const agentPrompt = [...variables].map(variable => (variable === 'query' ? '{{query}}' : `${variable}: {{${variable}}}`)).join('\n');
	const { system, messages, prompt } = (target?.kind === 'chat' ? target.body : {}) as Readonly<Record<string, unknown>>;
	const list = [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...(Array.isArray(messages) ? messages : [])];
	const parameters = target?.kind === 'chat' ? Object.entries(target.body).filter(([field]) => !promptFields.includes(field)) : [];
	return {
		prompts: [target?.kind === 'chat' ? (list.length > 0 ? JSON.stringify(list) : String(prompt ?? '')) : agentPrompt || name],
		providers: [
			target?.kind === 'chat' ? { id: `${providers[target.endpoint]}${target.model}`, config: Object.fromEntries(parameters) } : 'echo',
		],
		tests: tests.map(({ each, checks }) => ({
			description: each.name,
			vars: { ...each.inputs, ...(each.query !== undefined && { query: each.query }) },
			...(checks.length > 0 && { assert: checks }),
		})),
	};
}

/** Creates a log of Inspect (version 2) with the samples that tasks read. */
function createLog({ name, target }: Suite, tests: readonly Test[]): object {
	return {
		version: 2,
		status: 'success',
		eval: { task: name, model: target?.model ?? '', dataset: { name, samples: tests.length } },
		samples: tests.map(({ each, checks }) => ({
			id: each.name,
			epoch: 1,
			input: createInput(each, target),
			target:
				checks.flatMap(check => Object.values(check)).map(value => (typeof value === 'string' ? value : JSON.stringify(value)))[0] ?? '',
		})),
	};
}

/** Returns what the model or agent gets as a text or messages. */
function createInput({ inputs, query }: ExportedCase, target: Suite['target']): unknown {
	if (target?.kind !== 'chat') {
		return query ?? JSON.stringify(inputs);
	}
	try {
		return fillTemplate(target.body['messages'] ?? target.body['prompt'] ?? '', inputs);
	} catch (error) {
		if (!(error instanceof MissingColumn)) {
			throw error;
		}
		return JSON.stringify(inputs);
	}
}

function createRow({ name, inputs, query }: ExportedCase, checks: Test['checks']): object {
	return {
		id: name,
		inputs: { ...inputs, ...(query !== undefined && { query }) },
		...(checks.length > 0 && { outputs: Object.fromEntries(checks.flatMap(check => Object.entries(check))) }),
	};
}

/** Returns the expected output of a check; `undefined` if it isn't one that must be equal. */
function mapExpected({ kind, fields }: ExportedCase['checks'][number], output: string): Readonly<Record<string, unknown>> | undefined {
	const isPlain = kind === 'equals' && !['node', 'tool', 'inputs', 'not', 'ignoreCase', 'trim'].some(name => name in fields);
	return isPlain ? { [String(fields['output'] ?? output)]: fields['equals'] } : undefined;
}
