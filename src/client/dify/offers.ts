import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { DifyDeployment, DifyManagement, ManagementOperation } from './management.ts';

/** Operations that a management API implements, by name. */
export type Surface = { readonly [Operation in ManagementOperation]?: DifyManagement[Operation] };

interface Described {
	/** Verb phrase that continues "can't …". */
	readonly what: LocalizableMessage;
	readonly browser?: string;
	readonly console?: string;
}

/** Describes each operation and gives the first release that has it for browser sign-ins (none for console-only operations). */
const described: Readonly<Record<ManagementOperation, Described>> = {
	workspaces: { what: localizable`list workspaces`, browser: '1.15' },
	switchWorkspace: { what: localizable`switch workspaces`, browser: '1.15' },
	apps: { what: localizable`list apps`, browser: '1.15' },
	app: { what: localizable`show the details of an app`, browser: '1.15' },
	exportApp: { what: localizable`export apps`, browser: '1.15' },
	importApp: { what: localizable`import apps`, browser: '1.15' },
	confirmImport: { what: localizable`import apps`, browser: '1.15' },
	dependencies: { what: localizable`list missing plugins`, browser: '1.15' },
	checkText: { what: localizable`check files without importing them`, browser: '1.18' },
	publish: { what: localizable`publish apps`, browser: '1.18' },
	published: { what: localizable`show the published version`, browser: '1.18' },
	versions: { what: localizable`list versions`, browser: '1.18' },
	restore: { what: localizable`restore versions`, browser: '1.18', console: '1.13.3' },
	streamDraft: { what: localizable`run drafts`, browser: '1.18' },
	streamDraftChat: { what: localizable`run drafts`, browser: '1.18' },
	runNode: { what: localizable`run single nodes`, browser: '1.18' },
	stopDraft: { what: localizable`stop runs`, browser: '1.15' },
	runs: { what: localizable`list runs`, browser: '1.18' },
	run: { what: localizable`show runs`, browser: '1.18' },
	runNodes: { what: localizable`show the nodes of runs`, browser: '1.18' },
	lastNodeRun: { what: localizable`show the last run of a node` },
	draftVariables: { what: localizable`show the variables of a draft` },
	keys: { what: localizable`list the API keys of an app` },
	createKey: { what: localizable`create API keys for an app` },
	deleteKey: { what: localizable`delete API keys of an app` },
	setServiceApi: { what: localizable`turn the service API of an app on or off`, browser: '1.18' },
	getForm: { what: localizable`show the forms that runs wait for`, browser: '1.15', console: '1.13' },
	submitForm: { what: localizable`answer the forms that runs wait for`, browser: '1.15', console: '1.13' },
	followRun: { what: localizable`follow runs`, browser: '1.15', console: '1.13' },
};

/** Creates the error for an operation that a deployment doesn't have. */
export function createNotOfferedError(operation: ManagementOperation, { version }: DifyDeployment): ServiceError {
	const { what, browser, console: since } = described[operation];
	const way = describeSignIn(browser, operation === 'checkText' ? 'none' : since);
	const message =
		version === undefined
			? localizable`This sign-in to Dify can't ${what}. ${way}`
			: localizable`This sign-in to Dify ${version} can't ${what}. ${way}`;
	return new ServiceError('not-found', message, { code: 'not_offered' });
}

/**
 * Describes the sign-ins that can use an operation.
 * @param since first release whose console sign-in can use it; undefined for all releases
 */
function describeSignIn(browser: string | undefined, since: string | undefined): LocalizableMessage {
	if (browser === undefined) {
		return localizable`Sign in with the console password.`;
	}
	if (since === undefined) {
		return localizable`Sign in through the browser (Dify ${browser} or later) or with the console password.`;
	}
	return since === 'none'
		? localizable`Sign in through the browser (Dify ${browser} or later).`
		: localizable`Sign in through the browser (Dify ${browser} or later) or with the console password (Dify ${since} or later).`;
}
