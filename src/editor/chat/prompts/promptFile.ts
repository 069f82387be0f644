import { Lexer, parse } from 'yaml';
import { getFieldText } from '#base/records/plainValues.ts';
import { isParsableYaml } from '#base/text/yamlCost.ts';

/** A prompt file of the workspace (`*.prompt.md`), as VS Code defines them. */
export interface PromptFile {
	/** The name in the front matter; absent if the file's name is used. */
	readonly name?: string;
	readonly description: string;
	/** The prompt, with its variables. */
	readonly body: string;
}

/** Parses a prompt file. Ignores front matter that isn't valid YAML, so that the prompt can still be used. */
export function parsePromptFile(text: string): PromptFile {
	const { head, body } = splitFrontMatter(text.replace(/^\uFEFF/, ''));
	const fields = head === undefined ? undefined : parseFrontMatter(head);
	const name = getFieldText(fields, 'name').trim();
	// a name with blanks can't be typed as a command
	return { ...(/^\S+$/.test(name) && { name }), description: getFieldText(fields, 'description').trim(), body: body.trim() };
}

/** Splits a text at the second of two lines with three hyphens, if it starts with the first. */
function splitFrontMatter(text: string): { readonly head?: string; readonly body: string } {
	const lines = text.split(/\r?\n/);
	const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') : -1;
	return end < 0 ? { body: text } : { head: lines.slice(1, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

/** Maximum length of front matter in UTF-16 units. */
const longestHead = 10_000;

function parseFrontMatter(head: string): unknown {
	if (head.length > longestHead || !isParsableYaml(new Lexer().lex(head))) {
		return undefined;
	}
	try {
		return parse(head, { logLevel: 'silent', prettyErrors: false });
	} catch {
		return undefined;
	}
}

/** A variable of a prompt, such as `${file}` or `${input:name:placeholder}`. */
export interface PromptVariable {
	readonly name: string;
	/** Name and placeholder of an input. */
	readonly input?: { readonly name: string; readonly placeholder: string };
}

const variable = /\$\{([^{}]{1,300})\}/g;

/**
 * Replaces the variables of a prompt in order. `resolve` returns a variable's value, or undefined if it isn't a variable of prompts. Inputs
 * of the same name are resolved once.
 */
export async function fillPrompt(body: string, resolve: (variable: PromptVariable) => Promise<string | undefined>): Promise<string> {
	const values = new Map<string, string | undefined>();
	const parts: string[] = [];
	let end = 0;
	for (const match of body.matchAll(variable)) {
		const [whole, inside = ''] = match;
		const [name = '', input, ...placeholder] = inside.split(':');
		const key = input === undefined ? name : `${name}:${input}`;
		if (!values.has(key)) {
			values.set(
				key,
				await resolve({
					name,
					...(name === 'input' && input !== undefined && { input: { name: input, placeholder: placeholder.join(':') } }),
				}),
			);
		}
		parts.push(body.slice(end, match.index), values.get(key) ?? whole);
		end = match.index + whole.length;
	}
	return [...parts, body.slice(end)].join('');
}
