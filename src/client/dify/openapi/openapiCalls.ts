import { localizable } from '#base/text/localizableMessage.ts';
import type { CallOptions } from '../../caller.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import type { Reply } from '../../replyCollector.ts';
import type { StreamRules } from '../../streams/eventReader.ts';
import type { DifyDeployment, DifyGeneration, ManagementOperation } from '../management.ts';
import { createNotOfferedError } from '../offers.ts';
import { readWorkspaces } from '../readers/appReaders.ts';
import type { ReplyFields } from '../readers/fields.ts';
import { fillPath, type ManagementRequest } from '../requests/managementRequest.ts';
import type { ManagementRequests } from '../requests/managementRequests.ts';
import type { DeviceSession } from './deviceSession.ts';
import { type EndpointName, findNamedEndpoint } from './endpoints.ts';

/** One call of an endpoint. */
export interface OpenapiCall {
	/** Values of the path's placeholders. */
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: NonNullable<ManagementRequest['query']>;
	readonly body?: object;
	readonly answers?: readonly number[];
	readonly works?: boolean;
	/** Name of the path placeholder whose value must not be shown. */
	readonly hides?: string;
}

/** Calls `/openapi/v1`: resolves endpoints for this deployment, and the workspace. */
export class OpenapiCalls {
	readonly requests: ManagementRequests;
	readonly #session: DeviceSession;
	readonly #deployment: DifyDeployment;
	readonly #generation: Exclude<DifyGeneration, 'console'>;
	#workspaceId: string | undefined;

	constructor(requests: ManagementRequests, session: DeviceSession, deployment: DifyDeployment, workspaceId: string | undefined) {
		this.requests = requests;
		this.#session = session;
		this.#deployment = deployment;
		this.#generation = deployment.generation as Exclude<DifyGeneration, 'console'>;
		this.#workspaceId = workspaceId;
	}

	/** Workspace of all requests; `undefined` until the account's current one is known. */
	get workspaceId(): string | undefined {
		return this.#workspaceId;
	}

	switchWorkspace(workspaceId: string): void {
		this.#workspaceId = workspaceId;
	}

	/** True if the deployment has an endpoint, according to what has been read so far. */
	hasEndpoint(name: EndpointName): boolean {
		return findNamedEndpoint(this.#generation, name, this.#session.catalog) !== undefined;
	}

	/** True if this generation has a catalog of its endpoints. */
	get hasCatalog(): boolean {
		return this.#generation === 'openapi-1.18';
	}

	/** Returns the chosen workspace, or the account's current one. */
	async getWorkspace(options: CallOptions | undefined): Promise<string> {
		if (this.#workspaceId === undefined) {
			const workspaces = await this.requestJson('workspaces', {}, options, readWorkspaces);
			const own = workspaces.find(({ current }) => current) ?? workspaces[0];
			if (own === undefined) {
				throw new ServiceError('not-found', localizable`This Dify account isn't in a workspace. Ask a workspace owner for an invitation.`);
			}
			this.#workspaceId = own.id;
		}
		return this.#workspaceId;
	}

	async requestJson<R>(
		name: EndpointName,
		call: OpenapiCall,
		options: CallOptions | undefined,
		read: (value: ReplyFields, reply: Reply) => R,
	): Promise<R> {
		return this.requests.requestJson<ReplyFields, R>(await this.prepareRequest(name, call, options), options, read);
	}

	streamEvents<T extends object>(
		rules: StreamRules<T>,
		name: EndpointName,
		call: OpenapiCall,
		options: CallOptions | undefined,
	): AsyncIterableIterator<T> {
		return this.requests.streamEvents(rules, () => this.prepareRequest(name, { ...call, works: true }, options), options);
	}

	/** Returns a function that rebuilds the request for each attempt, because a newer catalog can move its endpoint. */
	async prepareRequest(
		name: EndpointName,
		{ path = {}, hides, ...call }: OpenapiCall,
		options: CallOptions | undefined,
	): Promise<() => ManagementRequest> {
		if (this.hasCatalog && this.#session.catalog === undefined) {
			await this.requests.prepareCredentials(options);
		}
		const purpose = getPurpose(name);
		return () => {
			const endpoint = findNamedEndpoint(this.#generation, name, this.#session.catalog);
			if (endpoint === undefined) {
				throw createNotOfferedError(purpose as ManagementOperation, this.#deployment);
			}
			return {
				purpose,
				method: endpoint.method,
				path: fillPath(endpoint.path, path),
				...(hides !== undefined && { shownPath: fillPath(endpoint.path, { ...path, [hides]: '***' }) }),
				...call,
			};
		};
	}
}

function getPurpose(name: EndpointName): ManagementRequest['purpose'] {
	return name === 'runChatNode' ? 'runNode' : name;
}
