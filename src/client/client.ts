import { Redactor } from '#network/redaction.ts';
import { AppFeatures } from './appFeatures.ts';
import type { Call } from './call.ts';
import { Caller } from './caller.ts';
import { AgentMethods } from './methods/agentMethods.ts';
import type { Calling } from './methods/textMethods.ts';
import { openDispatcher, type ServiceClientOptions, secretsOf, targetOf } from './serviceTarget.ts';

/**
 * One client for every operation of a service. All methods reject with {@link ServiceError}, streams throw it; limits of the contract are
 * checked before anything is sent. Streams send their request when they are first read and end it when the loop is left.
 */
export class ServiceClient extends AgentMethods {
	/** What apps of Dify have around their messages. */
	readonly app: AppFeatures;
	readonly #caller: Caller;

	/** Opens no connection. Throws {@link ServiceError} `invalid-request` if the base URL is not valid. */
	constructor(options: ServiceClientOptions) {
		const network = options.network ?? {};
		const target = targetOf(options);
		const caller = new Caller(
			target,
			() => openDispatcher(target, network),
			new Redactor(secretsOf(target, network)),
			report => options.onRequest?.(report),
		);
		super(caller);
		this.#caller = caller;
		this.app = new AppFeatures(caller);
	}

	/**
	 * What a method would send, as a command for a POSIX shell: `curl('streamWorkflow', request)`. Keys are environment variables in it,
	 * `$AGENT_WORKBENCH_KEY` first of all.
	 */
	async curl<M extends keyof AgentMethods>(method: M, ...args: Parameters<AgentMethods[M]>): Promise<string> {
		const call = await new Promise<Call>((resolve, reject) => {
			const recorder = Object.create(this, { caller: { value: recording(resolve) } }) as Record<M, (...args: unknown[]) => unknown>;
			Promise.resolve(recorder[method](...args)).catch(reject);
		});
		return this.#caller.curl(call);
	}

	/** Ends all requests and closes all connections. */
	async close(): Promise<void> {
		await this.#caller.close();
	}
}

/** Reports calls instead of sending them. */
function recording(report: (call: Call) => void): Calling {
	const never = new Promise<never>(() => {});
	const record = (call: Call) => {
		report(call);
		return never;
	};
	return {
		json: record,
		bytes: record,
		stream(_rules, call) {
			report(call);
			return (async function* () {})();
		},
	};
}
