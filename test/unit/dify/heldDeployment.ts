import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { AgentText } from '#agentFile/agentText.ts';
import { agentYaml } from '#agentFile/agentYaml.ts';
import { getItems, toFields } from '#base/records/plainValues.ts';
import type { AppImport, AppVersion, DifyGeneration, DifyManagement, ImportRequest } from '#client/dify/management.ts';
import { ServiceError, type ServiceErrorReason } from '#client/errors/serviceError.ts';

interface HeldApp {
	content: Record<string, unknown>;
	/** Values of secrets by variable ID. */
	secrets: Map<string, string>;
	versions: { version: AppVersion; text: string }[];
}

/**
 * A deployment in memory, for tests of plans: exports (sorted keys, no secrets or credentials) and imports like Dify (an empty secret
 * deletes the stored one). Records the imports, and can lose a response before or after it handled the request.
 */
export class HeldDeployment {
	readonly apps = new Map<string, HeldApp>();
	readonly sent: string[] = [];
	/** Makes the next request of this name fail `before` or `after` it is handled. */
	fails:
		| { readonly name: string; readonly when: 'before' | 'after'; readonly reason: ServiceErrorReason; readonly code?: string }
		| undefined;
	/** Called once, before the next request of this name is handled. */
	before: { readonly name: string; readonly act: () => void } | undefined;
	/** True if the next import has to be confirmed. */
	pends = false;
	readonly #pending = new Map<string, ImportRequest>();
	readonly #generation: DifyGeneration;
	#made = 0;

	constructor(generation: DifyGeneration = 'openapi-1.16') {
		this.#generation = generation;
	}

	putApp(id: string, text: string): void {
		const app = this.apps.get(id) ?? { content: {}, secrets: new Map<string, string>(), versions: [] };
		app.content = structuredClone(toFields(new AgentText(text).content)) as Record<string, unknown>;
		for (const variable of getItems(app.content.workflow, 'environment_variables') as Record<string, unknown>[]) {
			if (variable.value_type === 'secret') {
				const isKept = variable.value === '[__HIDDEN__]' || (variable.value === '' && this.#generation === 'openapi-1.18');
				const value = isKept ? (app.secrets.get(String(variable.id)) ?? '') : String(variable.value);
				app.secrets.set(String(variable.id), value);
				variable.value = '';
			}
		}
		this.apps.set(id, app);
	}

	/** Returns the app as Dify exports it. */
	getText(id: string): string {
		const { content } = this.#getApp(id);
		const exported = JSON.parse(JSON.stringify(content, (key, value: unknown) => (key === 'credential_id' ? undefined : value))) as unknown;
		return stringify(exported, { ...agentYaml, sortMapEntries: true, indentSeq: false, lineWidth: 0 });
	}

	/** Changes the app as if it was edited in the browser. */
	editApp(id: string, change: (text: string) => string): void {
		const kept = new Map(this.#getApp(id).secrets);
		this.putApp(id, change(this.getText(id)));
		this.#getApp(id).secrets = kept;
	}

	#getApp(id: string): HeldApp {
		const app = this.apps.get(id);
		if (!app) {
			throw new ServiceError('not-found', 'The service responded with status 404: app not found.');
		}
		return app;
	}

	#getDraftHash(id: string): string | undefined {
		return this.#generation === 'openapi-1.18' ? createHash('sha256').update(this.getText(id)).digest('hex') : undefined;
	}

	#import(request: ImportRequest): AppImport {
		const id = request.appId ?? `new-${++this.#made}`;
		if (request.draftHash !== undefined && request.draftHash !== this.#getDraftHash(id)) {
			throw new ServiceError('invalid-request', 'The draft changed after it was exported.', { code: 'draft_changed', status: 409 });
		}
		this.putApp(id, request.text);
		if (request.name !== undefined) {
			Object.assign(this.#getApp(id).content.app as object, { name: request.name });
		}
		return createImport({ id: 'import', status: 'completed', appId: id });
	}

	async #ask<T>(name: string, act: () => T): Promise<T> {
		await Promise.resolve();
		if (this.before?.name === name) {
			const { act: first } = this.before;
			this.before = undefined;
			first();
		}
		const fault = this.fails?.name === name ? this.fails : undefined;
		if (fault) {
			this.fails = undefined;
		}
		const error = fault && new ServiceError(fault.reason, 'The connection broke.', fault.code === undefined ? {} : { code: fault.code });
		if (error && fault.when === 'before') {
			throw error;
		}
		const result = act();
		if (error) {
			throw error;
		}
		return result;
	}

	readonly management = {
		deployment: { origin: 'https://dify.test', generation: 'openapi-1.16', version: '1.16.0', edition: 'SELF_HOSTED', signIns: ['device'] },
		offers: new Set(['exportApp', 'importApp', 'confirmImport', 'dependencies', 'publish', 'published', 'apps']),
		workspaceId: 'space-1',
		workspaces: async () => [],
		apps: (query: { name?: string }) =>
			this.#ask('apps', () => ({
				apps: [...this.apps]
					.map(([id, { content }]) => ({ id, name: String(toFields(content.app).name), description: '', mode: 'workflow', updatedAt: 0 }))
					.filter(({ name }) => name.includes(query.name ?? '')),
				page: 1,
				total: this.apps.size,
				hasMore: false,
			})),
		exportApp: (id: string, query: { versionId?: string } = {}) =>
			this.#ask('exportApp', () => {
				const version = this.#getApp(id).versions.find(each => each.version.id === query.versionId);
				return { text: version?.text ?? this.getText(id), draftHash: this.#getDraftHash(id) };
			}),
		importApp: (request: ImportRequest) =>
			this.#ask('importApp', () => {
				this.sent.push(request.text);
				if (this.pends) {
					this.pends = false;
					this.#pending.set('pending-1', request);
					return createImport({ id: 'pending-1', status: 'pending', currentVersion: '0.6.0', importedVersion: '9.0.0' });
				}
				return this.#import(request);
			}),
		confirmImport: (id: string) =>
			this.#ask('confirmImport', () => {
				const request = this.#pending.get(id);
				this.#pending.delete(id);
				return request
					? this.#import(request)
					: createImport({ id, status: 'failed', error: 'Import information expired or does not exist' });
			}),
		dependencies: () => this.#ask('dependencies', () => [{ type: 'marketplace', name: 'langgenius/openai:0.0.13' }]),
		publish: (id: string, { name, comment }: { name: string; comment: string }) =>
			this.#ask('publish', () => {
				const { versions } = this.#getApp(id);
				const version = { id: `v${versions.length + 1}`, name, comment, by: 'me', createdAt: 0, current: true };
				versions.push({ version, text: this.getText(id) });
				return {};
			}),
		published: (id: string) => this.#ask('published', () => this.#getApp(id).versions.at(-1)?.version),
	} as unknown as DifyManagement;

	/** Returns the management interface with this deployment's capabilities. */
	get asked(): DifyManagement {
		return { ...this.management, deployment: { ...this.management.deployment, generation: this.#generation } };
	}
}

function createImport(given: Partial<AppImport>): AppImport {
	return {
		id: '',
		status: 'completed',
		appId: undefined,
		mode: 'workflow',
		currentVersion: undefined,
		importedVersion: undefined,
		error: undefined,
		details: [],
		warnings: [],
		...given,
	};
}
