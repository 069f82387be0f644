import { CodeFailure } from '#base/sandbox/codeFailure.ts';
import type { IncomingReply } from '#network/guardedRequest.ts';
import { isSecretName } from '#network/redaction.ts';
import type { CodeRunner } from '../code/codeRunner.ts';
import type { PythonRunner } from '../code/pythonRunner.ts';
import type { Templates } from '../jinja/templates.ts';
import type { Knowledge, KnowledgeQuery, KnowledgeResult } from '../knowledge/knowledge.ts';
import {
	type EngineFiles,
	type EngineServices,
	type FixedChance,
	type SendRequest,
	sendRequest,
	type TextModels,
} from '../run/engineTypes.ts';
import type { EngineTool, ToolResult, ToolSource, ToolSources } from '../tools/engineTool.ts';
import { Float, toFloatValue, toPlainValues } from '../variables/float.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { createRecordedModels } from './recordedModels.ts';
import type { RecordingMarks } from './recordingMarks.ts';
import { replyShapes } from './replyShapes.ts';
import { normalizeHttpRequest, toText } from './requestKey.ts';
import type { RecordableCall, ReplyForms, RunRecording } from './runRecording.ts';

/** Results that are recorded as they are. */
const asIs = <T>(): ReplyForms<T> => ({ toReply: result => result, fromReply: reply => reply as T });

/** Functions of a template whose results are random. */
const isRandomTemplate = /\b(?:random|lipsum)\b/;

const neverAborted = new AbortController().signal;

/** The node whose calls are recorded. */
type RecordedCaller = Pick<RecordableCall, 'node' | 'onReplay'> & { readonly marks: RecordingMarks };

/**
 * The services of one node, of which those that call out, or whose results are random, are recorded or replayed. Others are the real ones.
 */
export class RecordedServices implements EngineServices {
	readonly #real: EngineServices;
	readonly #recording: RunRecording;
	readonly #caller: RecordedCaller;

	constructor(real: EngineServices, recording: RunRecording, caller: RecordedCaller) {
		this.#real = real;
		this.#recording = recording;
		this.#caller = caller;
	}

	get settings() {
		return this.#real.settings;
	}
	get documents() {
		return this.#real.documents;
	}
	get turns() {
		return this.#real.turns;
	}
	get fixed(): FixedChance {
		return this.#recording.getFixedChance(this.#caller.node, this.#caller.marks);
	}

	get models(): TextModels {
		return createRecordedModels(this.#real.models, this.#recording, this.#caller);
	}

	get code(): CodeRunner {
		return this.#real.code;
	}

	/** Python is recorded because it can do anything. JavaScript can't reach anything, so it runs. */
	get python(): Pick<PythonRunner, 'run'> {
		const python = this.#real.python;
		return {
			run: (code, inputs, signal) => {
				if (!python && this.#recording.session.mode !== 'none') {
					return Promise.reject(
						new CodeFailure("Python code is turned off. Set 'python' in the gateway's configuration to the path of a Python program."),
					);
				}
				return this.#call<unknown>('code', replyShapes.code, { code, inputs }, signal, async () => python?.run(code, inputs, signal), {
					toReply: toCodeReply,
					fromReply: fromCodeReply,
					createError: ({ message }) => new CodeFailure(message),
				});
			},
		};
	}

	get files(): EngineFiles {
		const { files } = this.#real;
		return {
			describeUpload: id => files.describeUpload(id),
			readUpload: (id, signal) => files.readUpload(id, signal),
			add: async file => {
				const stored = await files.add(file);
				this.#caller.marks.addFile(stored.id);
				return stored;
			},
		};
	}

	get templates(): Pick<Templates, 'render' | 'close'> {
		const { templates } = this.#real;
		return {
			close: () => templates.close(),
			render: (template, values, signal) => {
				const render = async () => templates.render(template, values, signal);
				return isRandomTemplate.test(template.text)
					? this.#call<string>('template', replyShapes.template, { template: template.text, values }, signal, render, asIs())
					: templates.render(template, values, signal);
			},
		};
	}

	get http(): SendRequest {
		return request => {
			const { url, headers, signal } = request;
			const call = {
				kind: 'http' as const,
				...this.#caller,
				request: normalizeHttpRequest(request),
				sent: [url.href, headers],
				shape: replyShapes.http,
				signal,
			};
			return this.#recording.replayOrCall<IncomingReply>(call, () => sendRequest(this.#real, request), {
				toReply: reply => toHttpReply(reply, url),
				fromReply: reply => fromHttpReply(reply, url),
			});
		};
	}

	get knowledge(): Knowledge | undefined {
		const { knowledge } = this.#real;
		return (
			knowledge && {
				search: (query: KnowledgeQuery, signal) =>
					this.#call<KnowledgeResult>('knowledge', replyShapes.knowledge, query, signal, () => knowledge.search(query, signal), asIs()),
				listMetadataNames: (datasets, signal) =>
					this.#call(
						'knowledge',
						replyShapes.names,
						{ metadata: datasets },
						signal,
						() => knowledge.listMetadataNames(datasets, signal),
						asIs(),
					),
			}
		);
	}

	get tools(): ToolSources | undefined {
		const { tools } = this.#real;
		return (
			tools && {
				mcp: this.#wrapSource('mcp', tools.mcp),
				apis: {
					listProviders: () => tools.apis.listProviders(),
					listToolNames: provider => tools.apis.listToolNames(provider),
					findTool: async (provider, name) => {
						const tool = await tools.apis.findTool(provider, name);
						return tool && this.#wrapTool('api', tool);
					},
				},
				// their nodes call out themselves
				agents: tools.agents,
				...(tools.search && { search: this.#wrapTool('search', tools.search) }),
			}
		);
	}

	/** Records which tools a server offers too, because asking for them starts or calls the server. */
	#wrapSource(source: string, real: ToolSource): ToolSource {
		return {
			listProviders: () => real.listProviders(),
			listToolNames: provider =>
				this.#call(
					'tool',
					replyShapes.names,
					{ source, provider, list: 'names' },
					neverAborted,
					() => real.listToolNames(provider),
					asIs(),
				),
			findTool: async (provider, name) => {
				if (!(await real.listProviders()).includes(provider)) {
					return undefined;
				}
				let found: EngineTool | undefined;
				const description = await this.#call<Omit<EngineTool, 'use'> | null>(
					'tool',
					replyShapes.toolDescription,
					{ source, provider, describe: name },
					neverAborted,
					async () => {
						found = await real.findTool(provider, name);
						return found
							? { provider: found.provider, name: found.name, description: found.description, parameters: found.parameters }
							: null;
					},
					asIs(),
				);
				const use: EngineTool['use'] = async (parameters, context) => {
					const tool = found ?? (await real.findTool(provider, name));
					if (!tool) {
						throw new Error(`The tool '${name}' of '${provider}' doesn't exist anymore.`);
					}
					return tool.use(parameters, context);
				};
				return description ? this.#wrapTool(source, { ...description, use }) : undefined;
			},
		};
	}

	#wrapTool(source: string, tool: EngineTool): EngineTool {
		return {
			...tool,
			use: (parameters, context) =>
				this.#call<ToolResult>(
					'tool',
					replyShapes.toolResult,
					{ source, provider: tool.provider, tool: tool.name, parameters },
					context.signal,
					// what the tool does inside isn't recorded a second time
					async () => tool.use(parameters, { ...context, services: this.#real }),
					asIs(),
				),
		};
	}

	#call<T>(
		kind: RecordableCall['kind'],
		shape: RecordableCall['shape'],
		request: unknown,
		signal: AbortSignal,
		makeCall: () => Promise<T>,
		forms: ReplyForms<T>,
	): Promise<T> {
		return this.#recording.replayOrCall({ kind, ...this.#caller, request, shape, signal }, makeCall, forms);
	}
}

/** Python distinguishes floats from integers, JSON doesn't. */
function toCodeReply(result: unknown): unknown {
	if (!isObjectValue(result)) {
		return { result };
	}
	const floats = Object.keys(result).filter(name => result[name] instanceof Float);
	return { result: toPlainValues(result), ...(floats.length > 0 && { floats }) };
}

function fromCodeReply(reply: unknown): unknown {
	const { result, floats = [] } = reply as { readonly result: unknown; readonly floats?: readonly string[] };
	return isObjectValue(result) && floats.length > 0
		? { ...result, ...Object.fromEntries(floats.map(name => [name, toFloatValue(Number(result[name]))])) }
		: result;
}

/** A recorded HTTP response. `url` is its address after redirects, if there were any. */
interface HttpReply {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly base64?: string;
	readonly url?: string;
}

function toHttpReply({ status, headers, body, url }: IncomingReply, asked: URL): HttpReply {
	const text = toText(body);
	const shown = Object.entries(headers).filter(([name, value]) => typeof value === 'string' && !isSecretName(name));
	return {
		status,
		headers: Object.fromEntries(shown) as Record<string, string>,
		...(text === undefined ? { base64: body.toString('base64') } : { body: text }),
		...(url.href !== asked.href && { url: url.origin + url.pathname }),
	};
}

function fromHttpReply(reply: unknown, asked: URL): IncomingReply {
	const { status, headers, body, base64 = '', url } = reply as HttpReply;
	return {
		status,
		headers,
		body: body === undefined ? Buffer.from(base64, 'base64') : Buffer.from(body),
		url: url === undefined ? asked : new URL(url, asked),
	};
}
