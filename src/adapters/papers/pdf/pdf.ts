import { messageOf, NightmarkError } from '../../../core/errors.ts';
import type { PaperMaker } from '../../../core/ports/paper-maker.ts';
import { drawPage, type PageLink, type PageTools } from './draw-page.ts';
import { numbers } from './matrix.ts';
import { PaperFont } from './paper-font.ts';
import { PdfFile, pdfAddress, pdfText } from './pdf-file.ts';

/** Pages as PDF 1.7, written here: a page of ours needs lines, areas, text and links, and no package for them. */
export const pdf: PaperMaker = {
  id: 'pdf',
  async paper(pages, { title }) {
    try {
      return write(pages, title);
    } catch (cause) {
      throw new NightmarkError('REPORT_NOT_PRINTED', `A page could not be made PDF: ${messageOf(cause)}.`, {
        hint: 'Write the report as HTML (-o report.html) and print it from a browser.',
        cause,
      });
    }
  },
};

function write(pages: readonly string[], title: string): Uint8Array {
  const file = new PdfFile();
  const { tools, fonts, opacities } = shared();
  const [root, list, resources] = [file.reserve(), file.reserve(), file.reserve()];
  const kids = pages.map((svg) => {
    const { width, height, content, links } = drawPage(svg, tools);
    const stream = file.addStream(Buffer.from(content));
    const notes = links.map((link) => file.add(linkObject(link)));
    const annotations = notes.length === 0 ? '' : ` /Annots [${references(notes)}]`;
    return file.add(
      `<< /Type /Page /Parent ${list} 0 R /MediaBox [0 0 ${numbers([width, height])}] /Resources ${resources} 0 R /Contents ${stream} 0 R${annotations} >>`,
    );
  });
  const fontList = [...fonts].map(([key, font]) => `/${key} ${font.addTo(file)} 0 R`).join(' ');
  const states = [...opacities].map(([value, key]) => `/${key} << /ca ${numbers([value])} >>`).join(' ');
  file.add(`<< /Font << ${fontList} >> /ExtGState << ${states} >> >>`, resources);
  file.add(`<< /Type /Pages /Kids [${references(kids)}] /Count ${kids.length} >>`, list);
  file.add(
    `<< /Type /Catalog /Pages ${list} 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>`,
    root,
  );
  const info = file.add(`<< /Title ${pdfText(title)} /Producer (Nightmark) >>`);
  return file.bytes({ root, info });
}

function shared() {
  const fonts = new Map<string, PaperFont>();
  const opacities = new Map<number, string>();
  const tools: PageTools = {
    font(isBold) {
      const key = isBold ? 'F2' : 'F1';
      const font = fonts.get(key) ?? new PaperFont(isBold);
      fonts.set(key, font);
      return { key, font };
    },
    opacity(value) {
      const key = opacities.get(value) ?? `G${opacities.size + 1}`;
      opacities.set(value, key);
      return key;
    },
  };
  return { tools, fonts, opacities };
}

function linkObject({ address, box }: PageLink): string {
  return `<< /Type /Annot /Subtype /Link /Border [0 0 0] /Rect [${numbers(box)}] /A << /S /URI /URI ${pdfAddress(address)} >> >>`;
}

function references(objects: readonly number[]): string {
  return objects.map((number) => `${number} 0 R`).join(' ');
}
