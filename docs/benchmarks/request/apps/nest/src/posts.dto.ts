import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

export class UserParams {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  id!: number;
}

export class PageQuery {
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  @Type(() => Number)
  @IsInt()
  @Min(0)
  minViews: number = 0;
}
