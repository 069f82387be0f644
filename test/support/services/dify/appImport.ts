import { randomUUID } from 'node:crypto';
import { overwriteDraft } from './appDraft.ts';
import type { DifyDeployment } from './difyDeployment.ts';
import { loadPyYaml, PyYamlError } from './pyYaml/pyYamlReader.ts';
import { compareVersions } from './releases.ts';
import type { FakeApp, Fields } from './state.ts';

/** Request of an import. Absent fields come from the file. */
export interface ImportAsked {
	readonly workspaceId: string;
	readonly text: string;
	readonly appId?: string | undefined;
	readonly name?: string | undefined;
	readonly description?: string | undefined;
	readonly icon?: string | undefined;
	readonly iconType?: string | undefined;
	readonly iconBackground?: string | undefined;
	/** A failed import keeps its partial changes: the console up to 1.13 commits them. */
	readonly commitsHalf?: boolean;
	/** From 1.18: an empty secret keeps the value stored under its ID. */
	readonly keepsEmptySecrets?: boolean;
}

export interface ImportDone {
	readonly id: string;
	readonly status: 'completed' | 'completed-with-warnings' | 'pending' | 'failed';
	readonly appId: string | null;
	readonly mode: string | null;
	readonly imported: string;
	readonly error: string;
}

class Failure extends Error {}

/** Imports a file as a deployment does: first all checks in order, then the whole draft. Publishes nothing. */
export function importAppFile(fake: DifyDeployment, asked: ImportAsked, confirmed = false): ImportDone {
	const id = randomUUID();
	const createFailure = (error: string): ImportDone => ({ id, status: 'failed', appId: null, mode: null, imported: '', error });
	try {
		const data = parseYamlMapping(asked.text);
		const imported = data['version'] ?? '0.1.0';
		if (typeof imported !== 'string') {
			return createFailure(`Invalid version type, expected str, got <class '${Number.isInteger(imported) ? 'int' : 'float'}'>`);
		}
		const status = confirmed ? 'completed' : compareFormats(imported, fake.release.dsl);
		if (!data['app']) {
			return createFailure('Missing app data in YAML content');
		}
		const app = asked.appId === undefined ? undefined : findOverwrittenApp(fake, asked);
		if (status === 'pending') {
			fake.pending.add(id, asked, fake.getTime());
			return { id, status, appId: asked.appId ?? null, mode: null, imported, error: '' };
		}
		const made = createOrUpdateApp(fake, asked, data, app);
		return { id, status, appId: made.id, mode: made.mode, imported, error: '' };
	} catch (error) {
		if (error instanceof PyYamlError) {
			return createFailure(`Invalid YAML format: ${error.message}`);
		}
		if (error instanceof Error) {
			return createFailure(error.message);
		}
		throw error;
	}
}

function parseYamlMapping(text: string): Fields {
	if (text === '') {
		throw new Failure('yaml_content is required when import_mode is yaml-content');
	}
	const data = loadPyYaml(text);
	if (typeof data !== 'object' || data === null || Array.isArray(data) || data instanceof Date || data instanceof Number) {
		throw new Failure('Invalid YAML format: content must be a mapping');
	}
	return data as Fields;
}

function compareFormats(imported: string, current: string): ImportDone['status'] {
	if (!/^\d+(\.\d+)*$/.test(imported)) {
		return 'failed';
	}
	const [major = 0, minor = 0] = imported.split('.').map(Number);
	const [currentMajor = 0, currentMinor = 0] = current.split('.').map(Number);
	if (compareVersions(imported, current) > 0 || major < currentMajor) {
		return 'pending';
	}
	return minor < currentMinor ? 'completed-with-warnings' : 'completed';
}

function findOverwrittenApp(fake: DifyDeployment, { appId, workspaceId }: ImportAsked): FakeApp {
	const app = fake.apps.find(each => each.id === appId && each.workspaceId === workspaceId);
	if (!app) {
		throw new Failure('App not found');
	}
	if (app.mode !== 'workflow' && app.mode !== 'advanced-chat') {
		throw new Failure('Only workflow or advanced chat apps can be overwritten');
	}
	return app;
}

function createOrUpdateApp(fake: DifyDeployment, asked: ImportAsked, data: Fields, there: FakeApp | undefined): FakeApp {
	const said = data['app'] as Fields;
	if (typeof said['mode'] !== 'string' || !said['mode']) {
		throw new Failure('loss app mode');
	}
	const before = there && { ...there };
	const app = there ?? createApp(fake, asked.workspaceId, said['mode']);
	try {
		setNameAndIcon(app, asked, said, there === undefined);
		app.updatedAt = fake.getTime();
		recordMissingPlugins(fake, app, data);
		if (fake.release.site && data['site'] !== undefined) {
			app.siteSettings = readSiteSettings(data['site']);
		}
		if (said['mode'] === 'workflow' || said['mode'] === 'advanced-chat') {
			overwriteDraft(fake, app, data['workflow'], asked.keepsEmptySecrets ?? false);
		} else {
			const config = data['model_config'];
			if (typeof config !== 'object' || config === null) {
				throw new Failure('Missing model_config for chat/agent-chat/completion app');
			}
			app.modelConfig = config as Fields;
		}
	} catch (error) {
		if (!asked.commitsHalf && there && before) {
			Object.assign(there, before);
		}
		if (asked.commitsHalf && !there) {
			fake.apps.push(app);
		}
		throw error;
	}
	if (!there) {
		fake.apps.push(app);
	}
	return app;
}

const siteFields = [
	'title',
	'description',
	'icon_type',
	'icon',
	'icon_background',
	'default_language',
	'chat_color_theme',
	'chat_color_theme_inverted',
	'copyright',
	'privacy_policy',
	'input_placeholder',
	'custom_disclaimer',
	'show_workflow_steps',
	'use_icon_as_answer_icon',
];

/** Reads the web app's settings, which change immediately; rejects unknown fields. */
function readSiteSettings(said: unknown): Fields {
	const stray = typeof said === 'object' && said !== null ? Object.keys(said).find(name => !siteFields.includes(name)) : 'site';
	if (stray !== undefined) {
		throw new Failure(`Invalid Site settings: ${stray}: Extra inputs are not permitted`);
	}
	return said as Fields;
}

/** Changes name, description and icon immediately, published or not. */
function setNameAndIcon(app: FakeApp, asked: ImportAsked, said: Fields, isNew: boolean): void {
	app.name = asked.name || String(said['name'] ?? (isNew ? '' : app.name));
	app.description = asked.description || String(said['description'] ?? (isNew ? '' : app.description));
	const iconType = asked.iconType ?? said['icon_type'];
	app.iconType = iconType === 'image' || iconType === 'link' ? iconType : 'emoji';
	app.icon = asked.icon ?? String(said['icon'] ?? '');
	app.iconBackground = asked.iconBackground ?? (said['icon_background'] as string | undefined) ?? (isNew ? '#FFFFFF' : app.iconBackground);
	if (isNew) {
		app.useIconAsAnswerIcon = said['use_icon_as_answer_icon'] === true;
	}
}

function createApp(fake: DifyDeployment, workspaceId: string, mode: string): FakeApp {
	if (!['workflow', 'advanced-chat', 'chat', 'agent-chat', 'completion'].includes(mode)) {
		throw new Failure(`'${mode}' is not a valid AppMode`);
	}
	return {
		id: randomUUID(),
		workspaceId,
		name: '',
		description: '',
		mode,
		icon: '',
		iconType: 'emoji',
		iconBackground: null,
		useIconAsAnswerIcon: false,
		serviceApi: true,
		site: true,
		createdAt: fake.getTime(),
		updatedAt: fake.getTime(),
		draft: undefined,
		versions: [],
		publishedId: undefined,
		modelConfig: undefined,
		keys: [],
		leaked: undefined,
	};
}

/**
 * Records for ten minutes the plugins that the file needs and the workspace lacks. For a confirmed import, Dify passes no dependencies to
 * this check.
 */
function recordMissingPlugins(fake: DifyDeployment, app: FakeApp, data: Fields): void {
	const needed = Array.isArray(data['dependencies']) ? (data['dependencies'] as Fields[]) : [];
	const isPluginInstalled = (each: Fields) => {
		const identifier = Object.values((each['value'] as Fields | undefined) ?? {}).find(value => typeof value === 'string') as
			| string
			| undefined;
		return fake.options.plugins?.some(plugin => identifier?.startsWith(plugin)) ?? false;
	};
	if (needed.length > 0) {
		app.leaked = { dependencies: needed.filter(each => !isPluginInstalled(each)), until: fake.getTime() + 600 };
	}
}
