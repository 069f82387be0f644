import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { joinSentences } from '../errors/faults.ts';
import { ServiceError } from '../errors/serviceError.ts';
import type { DifyDeployment, DifyManagement, ManagementOperation } from './management.ts';

/** Operations that a management API implements, by name. */
export type Surface = { readonly [Operation in ManagementOperation]?: DifyManagement[Operation] };

interface Described {
	readonly refusal: LocalizableMessage;
	readonly browser?: string;
	readonly console?: string;
}

/** Describes each operation and gives the first release that has it for browser sign-ins (none for console-only operations). */
const described: Readonly<Record<ManagementOperation, Described>> = {
	workspaces: { refusal: localizable`This sign-in to Dify can't list workspaces.`, browser: '1.15' },
	switchWorkspace: { refusal: localizable`This sign-in to Dify can't switch workspaces.`, browser: '1.15' },
	apps: { refusal: localizable`This sign-in to Dify can't list apps.`, browser: '1.15' },
	app: { refusal: localizable`This sign-in to Dify can't show the details of an app.`, browser: '1.15' },
	exportApp: { refusal: localizable`This sign-in to Dify can't export apps.`, browser: '1.15' },
	importApp: { refusal: localizable`This sign-in to Dify can't import apps.`, browser: '1.15' },
	confirmImport: { refusal: localizable`This sign-in to Dify can't import apps.`, browser: '1.15' },
	dependencies: { refusal: localizable`This sign-in to Dify can't list missing plugins.`, browser: '1.15' },
	checkText: { refusal: localizable`This sign-in to Dify can't check files without importing them.`, browser: '1.18' },
	publish: { refusal: localizable`This sign-in to Dify can't publish apps.`, browser: '1.18' },
	published: { refusal: localizable`This sign-in to Dify can't show the published version.`, browser: '1.18' },
	versions: { refusal: localizable`This sign-in to Dify can't list versions.`, browser: '1.18' },
	restore: { refusal: localizable`This sign-in to Dify can't restore versions.`, browser: '1.18', console: '1.13.3' },
	streamDraft: { refusal: localizable`This sign-in to Dify can't run drafts.`, browser: '1.18' },
	streamDraftChat: { refusal: localizable`This sign-in to Dify can't run drafts.`, browser: '1.18' },
	runNode: { refusal: localizable`This sign-in to Dify can't run single nodes.`, browser: '1.18' },
	stopDraft: { refusal: localizable`This sign-in to Dify can't stop runs.`, browser: '1.15' },
	runs: { refusal: localizable`This sign-in to Dify can't list runs.`, browser: '1.18' },
	run: { refusal: localizable`This sign-in to Dify can't show runs.`, browser: '1.18' },
	runNodes: { refusal: localizable`This sign-in to Dify can't show the nodes of runs.`, browser: '1.18' },
	lastNodeRun: { refusal: localizable`This sign-in to Dify can't show the last run of a node.` },
	draftVariables: { refusal: localizable`This sign-in to Dify can't show the variables of a draft.` },
	keys: { refusal: localizable`This sign-in to Dify can't list the API keys of an app.` },
	createKey: { refusal: localizable`This sign-in to Dify can't create API keys for an app.` },
	deleteKey: { refusal: localizable`This sign-in to Dify can't delete API keys of an app.` },
	setServiceApi: { refusal: localizable`This sign-in to Dify can't turn the service API of an app on or off.`, browser: '1.18' },
	getForm: { refusal: localizable`This sign-in to Dify can't show the forms that runs wait for.`, browser: '1.15', console: '1.13' },
	submitForm: { refusal: localizable`This sign-in to Dify can't answer the forms that runs wait for.`, browser: '1.15', console: '1.13' },
	followRun: { refusal: localizable`This sign-in to Dify can't follow runs.`, browser: '1.15', console: '1.13' },
};

/** Creates the error for an operation that a deployment doesn't have. */
export function createNotOfferedError(operation: ManagementOperation, { version }: DifyDeployment): ServiceError {
	const { refusal, browser, console: since } = described[operation];
	const way = describeSignIn(browser, operation === 'checkText' ? 'none' : since);
	const running = version === undefined ? undefined : localizable`This server runs Dify ${version}.`;
	const message = joinSentences(joinSentences(refusal, way), running);
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
