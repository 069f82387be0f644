import type { ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { Document, Scalar } from 'yaml';
import { AgentText } from '#agentFile/agentText.ts';
import { readSeparators, replaceSeparators } from '#agentFile/lineSeparators.ts';
import { createWildcardMatcher } from '#base/text/wildcard.ts';
import { toPlainLine } from '#cli/output.ts';
import { readAppPackage } from '#client/dify/readers/appPackage.ts';
import { SignInSecrets } from '#client/dify/requests/signInSecrets.ts';
import { readErrorBody } from '#client/errors/errorBodies.ts';
import { EventDecoder } from '#client/streams/eventDecoder.ts';
import { parsePromptFile } from '#editor/chat/prompts/promptFile.ts';
import { ReactReply } from '#engine/agent/reactReply.ts';
import { decodeText } from '#engine/documents/textDecoding.ts';
import { formatBraces, formatPercent } from '#engine/jinja/methods/formatText.ts';
import { readTemplate } from '#engine/jinja/reading/readTemplate.ts';
import { fillJson } from '#engine/nodes/http/httpBody.ts';
import { findFirstObject, findJsonInReply } from '#engine/nodes/model/replyJson.ts';
import { ReplyText } from '#engine/nodes/model/replyText.ts';
import { removeThoughts, ThinkingFilter } from '#engine/nodes/model/thinking.ts';
import { formatEntry, parseEntry } from '#engine/recordings/entryText.ts';
import { readDescription } from '#engine/tools/api/apiDescription.ts';
import { parsePythonFloat, parsePythonInt } from '#engine/variables/pythonNumbers.ts';
import type { VariablePool } from '#engine/variables/variables.ts';
import { readFrontMatter, splitSections } from '#gateway/knowledge/index/sections.ts';
import { splitSegments } from '#gateway/knowledge/index/segments.ts';
import { Log } from '#gateway/process/log.ts';
import { getBoundary } from '#gateway/uploads/multipart.ts';
import { readTokenUsage } from '#models/calls/tokenUsage.ts';
import { toModelFault } from '#models/modelFault.ts';
import { countTokens } from '#models/offline/offlineTokens.ts';
import { createRefusalFault, UpstreamRefusal } from '#models/upstreamRefusal.ts';
import { Redactor } from '#network/redaction.ts';

/** Hostile strings by their kind. */
const texts: Readonly<Record<string, string>> = {
	slashes: '/'.repeat(1_000_000),
	letters: 'a'.repeat(1_000_000),
	blanks: `\u2028b${' '.repeat(1_000_000)}x`,
	lines: `\u2028${' \n'.repeat(300_000)}x`,
	equals: '='.repeat(1_000_000),
	marks: '<think>'.repeat(140_000),
	openMarks: '<think'.repeat(160_000),
	fence: `\`\`\`json${'\n'.repeat(1_000_000)}`,
	brackets: '['.repeat(1_000_000),
	nested: `${'['.repeat(5_000)}${']'.repeat(5_000)}`.repeat(100),
	quotes: "{'x".repeat(330_000),
	strings: '{"a\n'.repeat(250_000),
	lengths: 'input length '.repeat(77_000),
	tokens: '-eyJaaaaaaaa'.repeat(80_000),
	raw: '{% raw %}'.repeat(110_000),
	percent: `%${'0'.repeat(1_000_000)}`,
	digits: `${'1'.repeat(1_000_000)}x`,
	emptyLines: `${'\n '.repeat(500_000)}x`,
	headings: `# x${' #'.repeat(500_000)}x`,
	links: '[a]('.repeat(250_000),
	tags: '<meta '.repeat(160_000),
	parameters: 'a=&'.repeat(330_000),
	titles: '<title'.repeat(160_000),
	usages: `{${'"usage":{"{":1},'.repeat(500_000)}`,
	mismatched: '{]'.repeat(2_000_000),
	openPairs: '[{'.repeat(1_000),
	openKeys: '[? '.repeat(1_000),
	nestedKeys: `\n${`- ${'[? '.repeat(95)}x${']'.repeat(95)}\n`.repeat(600)}`,
	keyMarks: `\n${`- ${'? '.repeat(95)}x\n`.repeat(1_000)}`,
	wrongPairs: `\n${`- ${'[{'.repeat(47)}${']}'.repeat(47)}\n`.repeat(1_000)}`,
	yamlTags: '!a '.repeat(100_000),
	yamlAliases: '*a '.repeat(100_000),
};

/** Functions that parse untrusted text on a main thread. */
export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
	'wildcard: many parts': text => createWildcardMatcher('*/*:free')(text),
	'wildcard: many stars': text => createWildcardMatcher(`${'*'.repeat(400)}x`)(text),
	'console line': toPlainLine,
	'secrets in shown text': text => new Redactor(['aaaaaaaab', '////////b']).redactText(text),
	'sign-in secrets in shown text': text => new SignInSecrets([]).redactText(text),
	'events of a stream': text => {
		const decoder = new EventDecoder(() => {});
		const part = text.slice(0, 100_000);
		decoder.push(Buffer.from(`event: ${part}\ndata: ${part}\n\n${part}`));
		decoder.flushEvents();
	},
	'number of a node': text => [parsePythonFloat(text), parsePythonInt(text)],
	'sections of a document': splitSections,
	'segments of a document': text => splitSegments(text.slice(0, 100_000), true),
	'encoding of a document': text => decodeText(Buffer.from(text), 'text/html'),
	'tokens of a text': countTokens,
	'template of a node': text => {
		try {
			readTemplate(text);
		} catch {
			// not a valid template
		}
	},
	'format of a template': text => {
		for (const format of [() => formatPercent(text, []), () => formatBraces(text, { positional: [], named: new Map() })]) {
			try {
				format();
			} catch {
				// not a valid format
			}
		}
	},
	'reply without empty lines': text => {
		const reply = new ReplyText({ stream: () => {}, streamReasoning: () => {} }, true);
		reply.push('text', text);
		return reply.text;
	},
	'boundary of a form': getBoundary,
	'front matter of a document': text => readFrontMatter(`---\na: ${text.slice(0, 16_000)}\n---\n`),
	'front matter of a prompt': text => parsePromptFile(`---\na: ${text.slice(0, 9_000)}\n---\n`),
	'description of an API': text => ignoreErrors(() => readDescription(`paths: ${text.slice(0, 20_000)}`)),
	'manifest of an app package': text =>
		ignoreErrors(() => readAppPackage(zipSync({ 'manifest.yaml': strToU8(`a: ${text.slice(0, 30_000)}`), 'app.yaml': strToU8('a') }))),
	'entry of a recording': text => ignoreErrors(() => parseEntry(`key: a\nreply: ${text}`, 1, () => '')),
	'recorded reply': text => {
		const head = { key: 'http:000000000000', node: 'a', call: 1 };
		for (const key of [text.slice(0, 1_500), 'a\nb']) {
			const reply = Array.from({ length: 400 }).reduce<unknown>(inner => ({ [key]: inner }), text);
			const { text: entry, parts } = formatEntry(head, { request: 1, reply });
			const read = parseEntry(entry, 1, name => parts.find(part => part.name === name)!.content);
			if (JSON.stringify(read.reply) !== JSON.stringify(reply)) {
				throw new Error('The recording differs from the reply.');
			}
		}
	},
	'agent file with a hostile value': text => new AgentText(`a: ${text}\n`),
	'agent file': text => new AgentText(`a: '${text.slice(0, 100_000)}'\n`),
	'error body of a service': text => readErrorBody(`<${text}`),
	'address in the log': text => {
		const log = new Log('text', () => {});
		log.logRequest('GET', `/?${text}`, { statusCode: 404, writableFinished: true } as ServerResponse, 1);
		log.info(text, { value: text });
		log.flushLines();
	},
	'JSON in the reply of a model': findJsonInReply,
	'first object in the reply of a model': findFirstObject,
	'tokens of a reply': text => readTokenUsage([Buffer.from(text), Buffer.from(text)]),
	'reasoning of a model': removeThoughts,
	'streamed reasoning of a model': text => new ThinkingFilter().push(text),
	'reply of an agent in the ReAct form': text => {
		const reply = new ReactReply();
		reply.push(`Action: ${text}`);
		reply.endReply();
	},
	'JSON body of an HTTP node': text => {
		try {
			fillJson(text, { get: () => undefined } as unknown as VariablePool);
		} catch {
			// not valid JSON
		}
	},
	'error of a model': text =>
		toModelFault({ error: { message: text }, status: 400, statusCode: 400, message: text }, { origin: 'https://service.example' }),
	'single-quoted string of an agent file': text => readSeparatorsOf(`'${text}'`),
	'double-quoted string of an agent file': text => readSeparatorsOf(`"${text}"`),
	'plain string of an agent file': readSeparatorsOf,
	'refusal of an upstream': text => {
		const refusal = new UpstreamRefusal(400, { 'content-encoding': 'gzip' });
		refusal.add(gzipSync(text));
		return createRefusalFault(refusal, 'https://service.example');
	},
};

function ignoreErrors(parse: () => unknown): void {
	try {
		parse();
	} catch {
		// not valid
	}
}

/** Reads only the line separators of a scalar, because YAML itself is parsed by a package. */
function readSeparatorsOf(source: string): void {
	const scalar = new Scalar(source.slice(1, -1));
	scalar.range = [0, source.length, source.length];
	scalar.type = source.startsWith("'") ? 'QUOTE_SINGLE' : source.startsWith('"') ? 'QUOTE_DOUBLE' : 'PLAIN';
	const document = new Document(scalar);
	readSeparators(document, source);
	replaceSeparators(document, source);
}

parentPort?.on('message', (name: string) => {
	for (const [kind, text] of Object.entries(texts)) {
		parentPort?.postMessage({ kind });
		parsers[name]?.(text);
	}
	parentPort?.postMessage({ done: true });
});
