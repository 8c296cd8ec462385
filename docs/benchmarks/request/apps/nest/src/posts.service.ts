import { Injectable, NotFoundException } from '@nestjs/common';
import { PrismaService } from './prisma.service.js';

@Injectable()
export class PostsService {
  constructor(private readonly prisma: PrismaService) {}

  async page(id: number, minViews: number, limit: number) {
    const user = await this.prisma.user.findUnique({ where: { id } });
    if (user === null) throw new NotFoundException();
    const posts = await this.prisma.post.findMany({
      where: { userId: id, views: { gte: minViews } },
      orderBy: { publishedAt: 'desc' },
      take: limit,
    });
    return { user, posts };
  }
}
