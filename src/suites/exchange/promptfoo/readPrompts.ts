import path from 'node:path';
import { readPlainYaml } from '#agentFile/plainYaml.ts';
import { OutsideScope } from '#base/files/fileScope.ts';
import { findFilesInScope } from '#base/files/findInside.ts';
import { hasWildcards, PatternError } from '#base/files/globPattern.ts';
import { isRecord } from '#base/records/plainValues.ts';
import { type ForeignPlace, type ForeignValue, getFileReference, type ImportReading } from '../importReading.ts';
import { convertTemplate, UnknownTemplate } from './renderTemplate.ts';

/** A message of a request. */
interface PromptMessage {
	readonly role: 'user' | 'assistant';
	readonly content: string;
}

/** A prompt as templates of a suite. */
export interface ImportedPrompt {
	readonly label: string | undefined;
	readonly system: string | undefined;
	readonly messages: readonly PromptMessage[];
	readonly place: ForeignPlace;
}

/** The text of a prompt, before it's split into messages. */
interface RawPrompt {
	readonly text: string;
	readonly label: string | undefined;
	readonly place: ForeignPlace;
}

/** Maximum number of prompts. */
const mostPrompts = 64;

/** Reads the prompts of a configuration, and adds the names of their variables to `names`. Lists those that suites can't send. */
export async function readPrompts(prompts: ForeignValue, reading: ImportReading, names: Set<string>): Promise<readonly ImportedPrompt[]> {
	const read: ImportedPrompt[] = [];
	for (const raw of await readRawPrompts(prompts, reading)) {
		if (read.length >= mostPrompts) {
			reading.report(raw.place, reading.t('The prompt is one too many. At most {0} are imported.', mostPrompts));
			break;
		}
		const prompt = splitPrompt(raw, reading, names);
		if (prompt) {
			read.push(prompt);
		}
	}
	return read;
}

async function readRawPrompts({ value, place }: ForeignValue, reading: ImportReading): Promise<readonly RawPrompt[]> {
	const entries = Array.isArray(value) ? value.map((each, at) => ({ value: each as unknown, place: place.at(at) })) : [{ value, place }];
	const prompts: RawPrompt[] = [];
	for (const each of entries) {
		prompts.push(...(await readRawPrompt(each, reading)));
	}
	return prompts;
}

async function readRawPrompt({ value, place }: ForeignValue, reading: ImportReading): Promise<readonly RawPrompt[]> {
	const fields = isRecord(value) ? value : {};
	if (isRecord(value)) {
		reading.reportOtherFields(value, ['id', 'label', 'raw'], place);
	}
	const label = typeof fields['label'] === 'string' ? fields['label'] : undefined;
	const text = isRecord(value) ? (value['raw'] ?? value['id']) : value;
	if (typeof text !== 'string' || text === '') {
		reading.reportType(place, 'prompts', reading.t('a text or a file'));
		return [];
	}
	const reference = getFileReference(text) ?? (/^[^\n{]{1,200}\.(?:txt|md|j2|json|ya?ml|[cm]?[jt]s|py|csv)$/.test(text) ? text : undefined);
	return reference === undefined ? [{ text, label, place }] : readPromptFiles(reference, label, place, reading);
}

async function readPromptFiles(
	reference: string,
	label: string | undefined,
	place: ForeignPlace,
	reading: ImportReading,
): Promise<readonly RawPrompt[]> {
	const files = hasWildcards(reference) ? await findPromptFiles(reference, place, reading) : [reference];
	const prompts: RawPrompt[] = [];
	for (const file of files) {
		if (/\.(?:csv|docx?)$/i.test(file)) {
			reading.reportUnknown(place, file);
			continue;
		}
		const text = await reading.readText(file, place);
		if (text !== undefined) {
			const parts = file.endsWith('.txt')
				? text
						.split(/\r?\n/)
						.join('\n')
						.split(/^[ \t]*---[ \t]*$/m)
						.map(part => part.trim())
				: [text];
			prompts.push(
				...parts.filter(part => part !== '').map(part => ({ text: part, label: parts.length > 1 ? undefined : (label ?? file), place })),
			);
		}
	}
	return prompts;
}

/** Finds the files of a pattern. Lists a pattern that leaves the folder or covers too many files. */
async function findPromptFiles(pattern: string, place: ForeignPlace, reading: ImportReading): Promise<readonly string[]> {
	try {
		const files = await findFilesInScope(pattern, { folder: reading.folder, root: reading.folder });
		return files.slice(0, mostPrompts).map(file => path.relative(reading.folder, file));
	} catch (error) {
		if (!(error instanceof OutsideScope) && !(error instanceof PatternError)) {
			throw error;
		}
		reading.reportUnknown(place, pattern);
		return [];
	}
}

/** Converts a prompt to messages: a list of them in JSON or YAML, or one message of the user. */
function splitPrompt({ text, label, place }: RawPrompt, reading: ImportReading, names: Set<string>): ImportedPrompt | undefined {
	try {
		const list = /^\s*(?:\[|-\s+(?:role|"role"|'role'))/.test(text) ? readPlainYaml(text).content : undefined;
		if (!Array.isArray(list) || !list.every(each => isRecord(each) && 'role' in each)) {
			return { label, system: undefined, messages: [{ role: 'user', content: convertTemplate(text, names) }], place };
		}
		const messages = list.map(({ role, content }: Record<string, unknown>) => ({
			role,
			content: typeof content === 'string' ? convertTemplate(content, names) : undefined,
		}));
		const isSystem = (role: unknown) => role === 'system' || role === 'developer';
		const system = messages.filter(({ role }) => isSystem(role)).map(({ content }) => content);
		const others = messages.filter(({ role }) => !isSystem(role));
		if (
			[...system, ...others.map(({ content }) => content)].includes(undefined) ||
			!others.every(({ role }) => role === 'user' || role === 'assistant')
		) {
			reading.report(place, reading.t("The prompt isn't mapped. Expected texts of 'system', 'user' and 'assistant'."));
			return undefined;
		}
		return { label, system: system.length > 0 ? system.join('\n\n') : undefined, messages: others as PromptMessage[], place };
	} catch (error) {
		if (!(error instanceof UnknownTemplate)) {
			throw error;
		}
		reading.report(place, reading.t("The prompt isn't mapped. It uses more than variables: {0}", error.part));
		return undefined;
	}
}
