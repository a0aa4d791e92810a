/** As far as receipts need it: the core ships no types of its own. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm' {
  interface Tesseract {
    Init(dataPath: null, languages: string, engineMode: number): number;
    SetVariable(name: string, value: string): void;
    /** Takes the file /input of the core; 1 when it is no image. */
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    MeanTextConf(): number;
  }
  interface Core {
    FS: { writeFile(path: string, content: Uint8Array): void };
    TessBaseAPI: new () => Tesseract;
  }
  export default function load(options: {
    print(line: string): void;
    printErr(line: string): void;
  }): Promise<Core>;
}
