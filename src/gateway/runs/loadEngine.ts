import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knowledge } from '#engine/knowledge/knowledge.ts';
import type { TextModels } from '#engine/run/engineTypes.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import type { GatewayConfig } from '../setup/config.ts';
import type { UploadStore } from '../store/uploadStore.ts';
import type { ToolParts } from './createTools.ts';
import type { Engine } from './engine.ts';

/** Parts of the engine's code, each of which holds up other requests while it's evaluated. */
const parts = [() => import('#agentFile/plainYaml.ts'), () => import('#engine/jinja/jinja.ts'), () => import('#engine/nodes/nodeTypes.ts')];

/** Loads the engine when the first agent needs it, part by part. Forwarding text generation doesn't need it. */
export async function loadEngine(
	config: GatewayConfig['engine'],
	network: NetworkSettings,
	models: TextModels,
	uploads: UploadStore,
	{ tools, knowledge }: { readonly tools: ToolParts; readonly knowledge: Knowledge },
): Promise<Engine> {
	for (const importPart of parts) {
		await importPart();
		await nextTurn();
	}
	const { createTools } = await import('./createTools.ts');
	const { createEngine } = await import('./createEngine.ts');
	return createEngine(config, network, models, uploads, { knowledge, tools: createTools(tools) });
}
