import { toFields } from '#base/records/plainValues.ts';
import { mostVariants } from '../../reading/readVariants.ts';
import type { ImportedSuite, ImportTarget } from '../importedSuite.ts';
import { type ForeignValue, ImportFault, type ImportReading } from '../importReading.ts';
import { NameList } from '../uniqueNames.ts';
import { CaseList } from './caseList.ts';
import { type ImportedPrompt, readPrompts } from './readPrompts.ts';
import { type ImportedModel, readProviders } from './readProviders.ts';
import { readTest, readTests } from './readTests.ts';

/** Fields of a configuration that are mapped. */
const mappedFields = ['$schema', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'evaluateOptions'];
const noTest = { description: undefined, variables: {}, assertions: [] };
/** Length of replies that promptfoo asks for by default, in tokens. */
const defaultReply = 1024;
/** The first model of the connection. */
const anyModel = '*';

/**
 * Makes a suite from a configuration of promptfoo. Rejects with an {@link ImportFault} if it has no tests, or no prompt that can be sent.
 *
 * @param config content of the configuration file
 */
export async function importPromptfoo(config: ForeignValue, target: ImportTarget, reading: ImportReading): Promise<ImportedSuite> {
	const fields = toFields(config.value);
	const getPart = (name: string): ForeignValue => ({ value: fields[name], place: config.place.at(name) });
	reading.reportOtherFields(fields, mappedFields, config.place);
	const names = new Set<string>();
	const request = target.agent === undefined ? await readRequest(getPart, target, reading, names) : { model: target.agent };
	if (target.agent !== undefined) {
		for (const name of ['prompts', 'providers', 'targets'].filter(each => fields[each] !== undefined)) {
			reading.report(config.place.at(name), reading.t("'{0}' isn't imported, because the suite tests an agent.", name));
		}
	}
	const defaults =
		fields['defaultTest'] === undefined ? { ...noTest, place: config.place } : await readDefaults(getPart('defaultTest'), reading);
	const cases = new CaseList({ names, defaults, target, reading });
	if (fields['tests'] === undefined) {
		// without tests, promptfoo sends each prompt once
		await cases.addTest({ ...noTest, place: config.place });
	} else {
		for await (const test of readTests(getPart('tests'), reading)) {
			if (!(await cases.addTest(test))) {
				break;
			}
		}
	}
	if (cases.list.length === 0) {
		throw new ImportFault(reading.t('The file has no test that can be imported.'));
	}
	return {
		suite: { ...request, ...readOptions(getPart('evaluateOptions'), reading), cases: cases.list },
		cases: cases.list.length,
		notMapped: reading.notMapped,
		notMappedCount: reading.notMappedCount,
	};
}

async function readDefaults(given: ForeignValue, reading: ImportReading) {
	const reference = typeof given.value === 'string' ? given.value.replace(/^file:\/\//, '') : undefined;
	const read = reference === undefined ? given : await reading.readYaml(reference, given.place);
	return read ? readTest(read, reading) : { ...noTest, place: given.place };
}

/** Reads the request: one prompt and model, or variants if there are several. */
async function readRequest(
	getPart: (name: string) => ForeignValue,
	target: ImportTarget,
	reading: ImportReading,
	names: Set<string>,
): Promise<Readonly<Record<string, unknown>>> {
	const prompts = await readPrompts(getPart('prompts'), reading, names);
	const [first, ...others] = prompts;
	if (!first) {
		throw new ImportFault(reading.t('The file has no prompt that can be imported.'));
	}
	const named = getPart('providers').value === undefined ? getPart('targets') : getPart('providers');
	const read = await readProviders(named, reading);
	const models = target.model === undefined ? read : [{ label: target.model, model: target.model, parameters: {} }];
	const [model = { label: anyModel, model: anyModel, parameters: {} }] = models;
	const chat = {
		endpoint: 'messages',
		model: model.model,
		max_tokens: defaultReply,
		...model.parameters,
		...(first.system !== undefined && { system: first.system }),
		messages: first.messages,
	};
	const fitting = [first, ...others.filter(each => isComparable(first, each, reading))];
	const variants = models.length > 1 || fitting.length > 1 ? createVariants(fitting, models.length > 0 ? models : [model]) : [];
	if (variants.length > mostVariants) {
		reading.report(
			named.place,
			reading.t(
				"Number of combinations of prompts and models: {0}. Maximum: {1}. The others aren't imported.",
				variants.length,
				mostVariants,
			),
		);
	}
	return { chat, ...(variants.length > 1 && { variants: variants.slice(0, mostVariants) }) };
}

/** True if two prompts differ only in the texts that variants can replace. Lists the other one if not. */
function isComparable(first: ImportedPrompt, other: ImportedPrompt, reading: ImportReading): boolean {
	const isSingle = [first, other].every(({ messages: [message, ...more] }) => message?.role === 'user' && more.length === 0);
	if (!isSingle) {
		reading.report(other.place, reading.t("The prompt isn't imported: only prompts with one message of the user can be compared."));
	}
	return isSingle;
}

function createVariants(
	prompts: readonly ImportedPrompt[],
	models: readonly ImportedModel[],
): readonly Readonly<Record<string, unknown>>[] {
	const names = new NameList();
	// the request has the parameters of the first model, which others may not have
	const removed = Object.fromEntries(Object.keys(models[0]?.parameters ?? {}).map(name => [name, null]));
	return prompts.flatMap((prompt, at) =>
		models.map(({ label, model, parameters }) => {
			const parts = [...(prompts.length > 1 ? [prompt.label ?? `prompt ${at + 1}`] : []), ...(models.length > 1 ? [label] : [])];
			return {
				name: names.createName(parts.join('/')),
				models: { '*': model },
				parameters: { '*': { ...removed, max_tokens: defaultReply, ...parameters } },
				...(prompts.length > 1 && { prompts: { system: prompt.system ?? '', user: prompt.messages[0]!.content } }),
			};
		}),
	);
}

function readOptions({ value, place }: ForeignValue, reading: ImportReading): Readonly<Record<string, unknown>> {
	const { repeat, maxConcurrency, ...others } = toFields(value);
	reading.reportOtherFields(others, [], place);
	const isCount = (count: unknown): count is number => Number.isInteger(count) && (count as number) >= 1;
	return {
		...(isCount(repeat) && { repeat }),
		...(isCount(maxConcurrency) && { concurrency: Math.min(maxConcurrency, 256) }),
	};
}
