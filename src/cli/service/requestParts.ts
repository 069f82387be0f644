import { existsSync } from 'node:fs';
import path from 'node:path';
import { type FileScope, isInsideFolder } from '#base/files/fileScope.ts';
import { isSameFile } from '#base/files/sameFile.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { RunFileValueError } from '#base/text/textFaults.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { createMissingSecret } from '#contract/recordings/scanRecording.ts';
import type { FileObject } from '#contract/workflows.ts';
import { getFileKind, getMediaType } from '#runs/request/fileKind.ts';
import { maxUploadBytes, readLocalBytes } from '#runs/request/localFiles.ts';
import type { PlaceholderSource } from '#runs/request/placeholders.ts';
import { CliFault, exitCodes, getExitCode } from '../cliFault.ts';
import type { Service } from './openService.ts';

/** Name of the user for runs that name no user. */
export const defaultUser = 'agent-workbench';

/**
 * Returns the agents of a service, or `undefined` if the service doesn't list them. Rejects with a {@link CliFault} if the service refuses
 * the key or can't be reached.
 */
export async function listServiceAgents(service: Service): Promise<readonly AgentSummary[] | undefined> {
	const agents = await requestAgents(service);
	return agents && service.agentFolders ? filterOwnAgents(agents, service.agentFolders) : agents;
}

/**
 * Removes agents of other commands that share the gateway. Rejects with a {@link CliFault} if one of them has the name of an agent in these
 * folders, because the gateway runs the first file with a name.
 */
async function filterOwnAgents(agents: readonly AgentSummary[], folders: readonly string[]): Promise<readonly AgentSummary[]> {
	const own: AgentSummary[] = [];
	for (const agent of agents) {
		const { name, file } = agent;
		if (file === null || folders.some(folder => isInsideFolder(file, folder))) {
			own.push(agent);
			continue;
		}
		const [first] = folders
			.flatMap(folder => ['.yaml', '.yml'].map(ending => path.join(folder, name + ending)))
			.filter(each => existsSync(each));
		if (first !== undefined && (await isSameFile(first, file))) {
			own.push(agent);
		} else if (first !== undefined) {
			throw new CliFault(
				`--data: another command uses the same folder, and its agent '${name}' (${file}) has the same name as ${first}. Choose another folder.`,
			);
		}
	}
	return own;
}

async function requestAgents({ client, name }: Service): Promise<readonly AgentSummary[] | undefined> {
	try {
		return await client.listAgents();
	} catch (error) {
		const { reason, message } = error as { readonly reason?: unknown; readonly message: string };
		const code = getExitCode(error);
		if (code === exitCodes.unreached || reason === 'auth') {
			throw new CliFault(`${name}: ${message}`, code, error);
		}
		return undefined;
	}
}

/**
 * Creates the source of placeholder values. `${input:…}` isn't supported, because commands must run without a user.
 * @param isReplay true if nothing is called, so that missing environment variables don't matter
 */
export function createPlaceholderSource(root: string, isReplay = false): PlaceholderSource {
	return {
		workspaceFolder: root,
		environment: variable => process.env[variable] ?? (isReplay ? createMissingSecret(`\${env:${variable}}`) : undefined),
		askInput(name) {
			throw new RunFileValueError(`\${input:${name}} only works in the editor. Use \${env:NAME} to read an environment variable`);
		},
	};
}

/** Uploads a local file for a run. Rejects with a {@link RunFileValueError} if the file can't or mustn't be read. */
export async function uploadLocalFile(
	{ client }: Service,
	reference: string,
	type: string | undefined,
	owner: { readonly model: string; readonly user: string },
	scope: FileScope,
): Promise<FileObject> {
	const data = await readLocalBytes(reference, scope, fillPlaceholders, maxUploadBytes);
	const media = getMediaType(reference);
	const { id } = await client.uploadFile({ name: path.basename(reference), data, ...(media && { type: media }) }, owner);
	return { type: (type as FileObject['type'] | undefined) ?? getFileKind(reference), transfer_method: 'local_file', upload_file_id: id };
}
