import { readFile, stat } from 'node:fs/promises';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import { getThemeColors, renderPictureSvg } from './exportGraph.ts';

/** Maximum bytes of a file to draw, and maximum characters of its image. VS Code cuts tooltips at 100,000 characters. */
const limits = { file: 400_000, image: 60_000 };

/** Draws the graph of an agent file as a Markdown image. Returns `undefined` if the file has no graph, can't be read or is too large. */
export async function renderAgentImage(file: string): Promise<string | undefined> {
	try {
		if ((await stat(file)).size > limits.file) {
			return undefined;
		}
		const picture = parseAgentPicture(await readFile(file, 'utf8'));
		const address = picture && `data:image/svg+xml;base64,${Buffer.from(renderPictureSvg(picture, getThemeColors())).toString('base64')}`;
		return address && address.length <= limits.image
			? `\n\n![](${address}|width=${Math.min(480, Math.round(picture.width / 2))})\n\n`
			: undefined;
	} catch {
		// the error already shows in Problems and in the agent's tree item
		return undefined;
	}
}
