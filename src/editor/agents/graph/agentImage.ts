import { readFile, stat } from 'node:fs/promises';
import { parseAgentPicture } from '#pages/graph/picture/agentPicture.ts';
import { getThemeColors, renderPictureSvg } from './exportGraph.ts';

/** Bytes of a file that is read for a hover, and letters of the image: the editor shows no more than 100,000 of a tooltip. */
const limits = { file: 400_000, image: 60_000 };

/** The graph of an agent file as an image in a Markdown text; `undefined` where it has none, cannot be read, or is too large for a tooltip. Takes its path. */
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
		// Problems, and the agent's own line in the tree, say what is wrong with it
		return undefined;
	}
}
