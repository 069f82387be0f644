import { readFile } from 'node:fs/promises';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { PythonRunner } from '#engine/code/pythonRunner.ts';
import { DocumentReader } from '#engine/documents/documentReader.ts';
import { Templates } from '#engine/jinja/templates.ts';
import type { Knowledge } from '#engine/knowledge/knowledge.ts';
import type { EngineFiles, EngineServices, TextModels } from '#engine/run/engineTypes.ts';
import { Turns } from '#engine/run/turns.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import type { GatewayConfig } from '../setup/config.ts';
import type { UploadStore } from '../store/uploadStore.ts';
import { getExtension } from '../uploads/fileKinds.ts';
import type { Tools } from './createTools.ts';
import { Engine } from './engine.ts';

/**
 * Creates the engine. Nodes get text from `models`, files from `uploads`, search results from `knowledge`, and their tools from `tools`.
 */
export function createEngine(
	config: GatewayConfig['engine'],
	network: NetworkSettings,
	models: TextModels,
	uploads: UploadStore,
	{ knowledge, tools }: { readonly knowledge?: Knowledge; readonly tools?: Tools } = {},
): Engine {
	const services: EngineServices = {
		models,
		settings: {
			allowPrivateNetwork: config.allow_private_network ?? false,
			network,
			...(config.max_steps !== undefined && { maxSteps: config.max_steps }),
		},
		code: new CodeRunner(),
		...(config.python !== undefined && { python: new PythonRunner(config.python) }),
		files: createEngineFiles(uploads),
		templates: new Templates(),
		documents: new DocumentReader(),
		...(knowledge && { knowledge }),
		turns: new Turns(),
		...(tools && { tools: tools.sources }),
	};
	return new Engine(services, tools?.close);
}

function createEngineFiles(uploads: UploadStore): EngineFiles {
	return {
		describeUpload(id) {
			const upload = uploads.get(id);
			return upload && { name: upload.name, mimeType: upload.mime_type, size: upload.size };
		},
		async readUpload(id, signal) {
			if (!uploads.get(id)) {
				throw new Error('No uploaded file has this ID');
			}
			return readFile(uploads.getUploadPath(id), { signal });
		},
		async add({ name, mimeType, bytes, user }) {
			const id = await uploads.addBytes({ user, name, size: bytes.length, extension: getExtension(name), mime_type: mimeType }, bytes);
			return { id, url: `/v1/agent/files/${id}/preview` };
		},
	};
}
