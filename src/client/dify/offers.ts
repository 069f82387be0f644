import { ServiceError } from '../errors/serviceError.ts';
import type { DifyDeployment, DifyManagement, ManagementOperation } from './management.ts';

/** Operations that a management API implements, by name. */
export type Surface = { readonly [Operation in ManagementOperation]?: DifyManagement[Operation] };

/**
 * Describes each operation as a clause, and gives the first release that has it for browser sign-ins (none for console-only operations).
 */
const described: Readonly<Record<ManagementOperation, { readonly what: string; readonly browser?: string; readonly console?: string }>> = {
	workspaces: { what: 'lists workspaces', browser: '1.15' },
	switchWorkspace: { what: 'switches workspaces', browser: '1.15' },
	apps: { what: 'lists apps', browser: '1.15' },
	app: { what: 'describes an app', browser: '1.15' },
	exportApp: { what: 'exports apps', browser: '1.15' },
	importApp: { what: 'imports apps', browser: '1.15' },
	confirmImport: { what: 'imports apps', browser: '1.15' },
	dependencies: { what: 'names missing plugins', browser: '1.15' },
	checkText: { what: 'checks files without importing them', browser: '1.18' },
	publish: { what: 'publishes', browser: '1.18' },
	published: { what: 'tells the published version', browser: '1.18' },
	versions: { what: 'lists versions', browser: '1.18' },
	restore: { what: 'restores versions', browser: '1.18', console: '1.13.3' },
	streamDraft: { what: 'runs drafts', browser: '1.18' },
	streamDraftChat: { what: 'runs drafts', browser: '1.18' },
	runNode: { what: 'runs single nodes', browser: '1.18' },
	stopDraft: { what: 'stops runs', browser: '1.15' },
	runs: { what: 'lists runs', browser: '1.18' },
	run: { what: 'shows runs', browser: '1.18' },
	runNodes: { what: 'shows the nodes of runs', browser: '1.18' },
	lastNodeRun: { what: 'shows the last run of a node' },
	draftVariables: { what: "shows a draft's variables" },
	keys: { what: "lists an app's keys" },
	createKey: { what: "makes an app's keys" },
	deleteKey: { what: "deletes an app's keys" },
	setServiceApi: { what: "switches an app's service API", browser: '1.18' },
	getForm: { what: 'shows forms that runs wait for', browser: '1.15', console: '1.13' },
	submitForm: { what: 'answers forms that runs wait for', browser: '1.15', console: '1.13' },
	followRun: { what: 'follows runs', browser: '1.15', console: '1.13' },
};

/** Creates the error for an operation that a deployment doesn't have. */
export function notOffered(operation: ManagementOperation, { version }: DifyDeployment): ServiceError {
	const { what, browser, console: since } = described[operation];
	const here = `This sign-in to Dify${version === undefined ? '' : ` ${version}`} has nothing that ${what}`;
	const ways = [
		browser && `a sign-in in the browser does it from ${browser} on`,
		operation === 'checkText' ? undefined : `one with the console's password does it${since === undefined ? '' : ` from ${since} on`}`,
	].filter(Boolean);
	return new ServiceError('not-found', `${here}: ${ways.join(', ')}.`, { code: 'not_offered' });
}
