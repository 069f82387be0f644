import { Redactor } from '#network/redaction.ts';
import { AppFeatures } from './appFeatures.ts';
import type { Call } from './call.ts';
import { Caller } from './caller.ts';
import { AgentMethods } from './methods/agentMethods.ts';
import type { Calling } from './methods/textMethods.ts';
import { createTarget, listSecrets, openDispatcher, type ServiceClientOptions } from './serviceTarget.ts';

/**
 * A client for all operations of a service. All methods reject with {@link ServiceError}, and streams throw it. Limits of the contract are
 * checked before anything is sent. A stream sends its request when it is first read and aborts it when the loop is left.
 */
export class ServiceClient extends AgentMethods {
	/** Message features of Dify apps. */
	readonly app: AppFeatures;
	readonly #caller: Caller;

	/** Creates a client without connecting. Throws {@link ServiceError} `invalid-request` if the base URL isn't valid. */
	constructor(options: ServiceClientOptions) {
		const network = options.network ?? {};
		const target = createTarget(options);
		const caller = new Caller(
			target,
			() => openDispatcher(target, network),
			new Redactor(listSecrets(target, network)),
			report => options.onRequest?.(report),
		);
		super(caller);
		this.#caller = caller;
		this.app = new AppFeatures(caller);
	}

	/**
	 * Returns the request of a method as a POSIX shell command, for example `formatCurl('streamWorkflow', request)`. Keys become environment
	 * variables, the first one `$AGENT_WORKBENCH_KEY`.
	 */
	async formatCurl<M extends keyof AgentMethods>(method: M, ...args: Parameters<AgentMethods[M]>): Promise<string> {
		const call = await new Promise<Call>((resolve, reject) => {
			const recorder = Object.create(this, { caller: { value: createRecorder(resolve) } }) as Record<M, (...args: unknown[]) => unknown>;
			Promise.resolve(recorder[method](...args)).catch(reject);
		});
		return this.#caller.formatCurl(call);
	}

	/** Aborts all requests and closes all connections. */
	async close(): Promise<void> {
		await this.#caller.close();
	}
}

/** Creates a caller that reports calls instead of sending them. */
function createRecorder(report: (call: Call) => void): Calling {
	const never = new Promise<never>(() => {});
	const reportCall = (call: Call) => {
		report(call);
		return never;
	};
	return {
		requestJson: reportCall,
		requestBytes: reportCall,
		streamEvents(_rules, call) {
			report(call);
			return (async function* () {})();
		},
	};
}
